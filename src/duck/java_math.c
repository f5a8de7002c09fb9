/*
 * duck/java_math.c - functions of doubles with the very bits of Java's StrictMath
 *
 * Java follows fdlibm, whose results differ from the C library's in the last digit for some arguments. Each constant is split in two where fdlibm
 * splits it, so that the reduction of the argument is exact; what is left goes through a polynomial.
 */
#include "duck/java_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

/* The upper half of a double's bits: sign, exponent and the first 20 of the fraction. */
static int32_t high_word(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return (int32_t)(bits >> 32);
}

static double with_high_word(double x, int32_t high)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits & UINT32_MAX) | (uint64_t)(uint32_t)high << 32;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double java_exp(double x)
{
    static const double inverse_ln2 = 1.44269504088896338700e+00;
    static const double p1 = 1.66666666666666019037e-01, p2 = -2.77777777770155933842e-03, p3 = 6.61375632143793436117e-05,
                        p4 = -1.65339022054652515390e-06, p5 = 4.13813679705723846039e-08;
    double high = 0, low = 0;
    int k = 0;

    if (isnan(x))
        return x;
    if (x > 7.09782712893383973096e+02)
        return (double)INFINITY;
    if (x < -7.45133219101941108420e+02)
        return 0;
    if (fabs(x) > 0.34657359027997264) { /* half of ln 2 */
        k = fabs(x) < 1.0397207708399179 ? (x > 0 ? 1 : -1) : (int)(inverse_ln2 * x + (x > 0 ? 0.5 : -0.5));
        high = x - k * ln2_high;
        low = k * ln2_low;
        x = high - low;
    } else if (fabs(x) < 3.725290298461914e-09) {
        return 1 + x;
    }
    double t = x * x, c = x - t * (p1 + t * (p2 + t * (p3 + t * (p4 + t * p5))));

    if (k == 0)
        return 1 - ((x * c) / (c - 2.0) - x);
    return ldexp(1 - ((low - (x * c) / (2.0 - c)) - high), k);
}

/* x = 2^k (1 + f) with f around 0; log(1 + f) by a polynomial in (f / (2 + f))^2. */
double java_log(double x)
{
    static const double lg1 = 6.666666666666735130e-01, lg2 = 3.999999999940941908e-01, lg3 = 2.857142874366239149e-01, lg4 = 2.222219843214978396e-01,
                        lg5 = 1.818357216161805012e-01, lg6 = 1.531383769920937332e-01, lg7 = 1.479819860510658591e-01;
    int k = 0;

    if (isnan(x) || x < 0)
        return (double)NAN;
    if (x == 0)
        return (double)-INFINITY;
    if (isinf(x))
        return x;
    if (high_word(x) < 0x00100000) { /* without an implicit first bit */
        k = -54;
        x *= 18014398509481984.0; /* 2^54 */
    }
    int32_t word = high_word(x), fraction = word & 0xFFFFF, up = (fraction + 0x95F64) & 0x100000;

    k += (word >> 20) - 1023 + (up >> 20);
    double f = with_high_word(x, fraction | (up ^ 0x3FF00000)) - 1.0, dk = k;

    if ((0xFFFFF & (2 + fraction)) < 3) { /* |f| < 2^-20 */
        if (f == 0)
            return k ? dk * ln2_high + dk * ln2_low : 0;
        double r = f * f * (0.5 - 0.33333333333333333 * f);

        return k ? dk * ln2_high - ((r - dk * ln2_low) - f) : f - r;
    }
    double s = f / (2.0 + f), z = s * s, w = z * z;
    double t1 = w * (lg2 + w * (lg4 + w * lg6)), t2 = z * (lg1 + w * (lg3 + w * (lg5 + w * lg7))), r = t2 + t1;

    if (((fraction - 0x6147A) | (0x6B851 - fraction)) > 0) {
        double half = 0.5 * f * f;

        return k ? dk * ln2_high - ((half - (s * (half + r) + dk * ln2_low)) - f) : f - (half - s * (half + r));
    }
    return k ? dk * ln2_high - ((s * (f - r) - dk * ln2_low) - f) : f - s * (f - r);
}
