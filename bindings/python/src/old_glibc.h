/* Included first in every file of the command that goes into wheels: glibc 2.35 has a new version of hypot (it no
 * longer sets errno), which would keep the wheel from systems with glibc 2.34. */
#if defined(__GLIBC__) || defined(__linux__)
#if defined(__x86_64__)
__asm__(".symver hypot, hypot@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver hypot, hypot@GLIBC_2.17");
#endif
#endif
