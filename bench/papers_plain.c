/* Updates of k-DOPs one number at a time: compiled without vectors, see CMakeLists.txt. */
#include "papers_plain.h"

void papers_plain_update(const double (*along)[3], size_t k, const float (*vertices)[3], size_t count, double *out)
{
    for (size_t l = 0; l < k; l++) {
        double most = -1e300;
        for (size_t i = 0; i < count; i++) {
            const double height = along[l][0] * (double)vertices[i][0] + along[l][1] * (double)vertices[i][1] +
                                  along[l][2] * (double)vertices[i][2];
            most = height > most ? height : most;
        }
        out[l] = most;
    }
}
