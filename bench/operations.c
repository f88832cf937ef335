/* stub */
#include "commands.h"
int bench_run_operations(const bench_settings *settings){(void)settings;return 0;}
