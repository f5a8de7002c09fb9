/*
 * duck/java_math.c - exponentials and logarithms with the very bits of Java's StrictMath
 *
 * Java follows fdlibm (Sun Microsystems, 1993), whose results differ from the C library's in the last digit for some arguments. Each constant is split in two
 * where fdlibm splits it, so that the reduction of the argument is exact; what is left goes through a polynomial.
 */
#include "duck/java_math.h"

#include <math.h>

#include "duck/java_math_bits.h"

static const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

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

double java_log10(double x)
{
    static const double inverse_ln10 = 4.34294481903251816668e-01, log10_2_high = 3.01029995663611771306e-01, log10_2_low = 3.69423907715893078616e-13;
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
    k += (high_word(x) >> 20) - 1023;
    int up = k < 0; /* so that both terms have one sign */
    double y = k + up;

    x = with_high_word(x, (high_word(x) & 0xFFFFF) | (0x3FF - up) << 20);
    return y * log10_2_low + inverse_ln10 * java_log(x) + y * log10_2_high;
}

/* 1 + x = 2^k (1 + f); c is what the sum has lost. */
double java_log1p(double x)
{
    static const double lp1 = 6.666666666666735130e-01, lp2 = 3.999999999940941908e-01, lp3 = 2.857142874366239149e-01, lp4 = 2.222219843214978396e-01,
                        lp5 = 1.818357216161805012e-01, lp6 = 1.531383769920937332e-01, lp7 = 1.479819860510658591e-01;
    int32_t high = high_word(x), size = high & 0x7FFFFFFF, fraction = 1;
    double f = x, c = 0;
    int k = 0;

    if (isnan(x) || x < -1)
        return (double)NAN;
    if (x == -1)
        return (double)-INFINITY;
    if (isinf(x))
        return x;
    if (size < 0x3E200000) /* 2^-29 */
        return size < 0x3C900000 ? x : x - x * x * 0.5;
    if (high >= 0x3FDA827A || (high < 0 && high > (int32_t)0xBFD2BEC3)) { /* beyond -0.2929 to 0.41422 */
        double u = high < 0x43400000 ? 1.0 + x : x;

        k = (high_word(u) >> 20) - 1023;
        if (high < 0x43400000)
            c = (k > 0 ? 1.0 - (u - x) : x - (u - 1.0)) / u;
        fraction = high_word(u) & 0xFFFFF;
        if (fraction < 0x6A09E) {
            u = with_high_word(u, fraction | 0x3FF00000);
        } else {
            k++;
            u = with_high_word(u, fraction | 0x3FE00000);
            fraction = (0x00100000 - fraction) >> 2;
        }
        f = u - 1.0;
    }
    double half = 0.5 * f * f, dk = k;

    if (fraction == 0) { /* |f| < 2^-20 */
        if (f == 0)
            return k ? dk * ln2_high + (c + dk * ln2_low) : 0;
        double r = half * (1.0 - 0.66666666666666666 * f);

        return k ? dk * ln2_high - ((r - (dk * ln2_low + c)) - f) : f - r;
    }
    double s = f / (2.0 + f), z = s * s, r = z * (lp1 + z * (lp2 + z * (lp3 + z * (lp4 + z * (lp5 + z * (lp6 + z * lp7))))));

    return k ? dk * ln2_high - ((half - (s * (half + r) + (dk * ln2_low + c))) - f) : f - (half - s * (half + r));
}

/* x = k ln 2 + r; e^r - 1 by a rational function. */
double java_expm1(double x)
{
    static const double inverse_ln2 = 1.44269504088896338700e+00;
    static const double q1 = -3.33333333333331316428e-02, q2 = 1.58730158725481460165e-03, q3 = -7.93650757867487942473e-05, q4 = 4.00821782732936239552e-06,
                        q5 = -2.01099218183624371326e-07;
    int32_t size = high_word(x) & 0x7FFFFFFF;
    bool below = high_word(x) < 0;
    double c = 0, y;
    int k = 0;

    if (isnan(x))
        return x;
    if (x > 7.09782712893383973096e+02)
        return (double)INFINITY;
    if (below && size >= 0x4043687A) /* 56 ln 2 */
        return -1;
    if (size > 0x3FD62E42) { /* half of ln 2 */
        double high, low;

        k = size < 0x3FF0A2B2 ? (below ? -1 : 1) : (int)(inverse_ln2 * x + (below ? -0.5 : 0.5));
        high = x - k * ln2_high;
        low = k * ln2_low;
        x = high - low;
        c = (high - x) - low;
    } else if (size < 0x3C900000) { /* 2^-54 */
        return x;
    }
    double half = 0.5 * x, square = x * half, r = 1.0 + square * (q1 + square * (q2 + square * (q3 + square * (q4 + square * q5))));
    double t = 3.0 - r * half, e = square * ((r - t) / (6.0 - x * t));

    if (k == 0)
        return x - (x * e - square);
    e = x * (e - c) - c;
    e -= square;
    if (k == -1)
        return 0.5 * (x - e) - 0.5;
    if (k == 1)
        return x < -0.25 ? -2.0 * (e - (x + 0.5)) : 1.0 + 2.0 * (x - e);
    if (k <= -2 || k > 56)
        return scaled(1.0 - (e - x), k) - 1.0;
    if (k < 20) /* 1 - 2^-k */
        return scaled(of_words(0x3FF00000 - (0x200000 >> k), 0) - (e - x), k);
    y = x - (e + of_words((0x3FF - k) << 20, 0)); /* 2^-k */
    return scaled(y + 1.0, k);
}
