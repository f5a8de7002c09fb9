/* duck/java_math_pow.c - powers, cube roots and lengths with the very bits of Java's StrictMath, after fdlibm (see java_math.c) */
#include <math.h>

#include "duck/java_math.h"
#include "duck/java_math_bits.h"

/* A number in two parts: the first has few bits, the second what it lacks. */
typedef struct Pair {
    double high, low;
} Pair;

/* log2 of a number above 0 that is next to 1. */
static Pair log2_near_one(double x)
{
    static const double inverse_ln2 = 1.44269504088896338700e+00, inverse_ln2_high = 1.44269502162933349609e+00, inverse_ln2_low = 1.92596299112661746887e-08;
    double t = x - 1.0, w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25)), u = inverse_ln2_high * t, v = t * inverse_ln2_low - w * inverse_ln2;
    double high = upper_half(u + v);

    return (Pair){high, v - (high - u)};
}

/* log2 of a finite number above 0: 2^n times what is near to 1 or 1.5. */
static Pair log2_of(double x)
{
    static const double near[] = {1.0, 1.5}, log2_high[] = {0.0, 5.84962487220764160156e-01}, log2_low[] = {0.0, 1.35003920212974897128e-08};
    static const double l1 = 5.99999999999994648725e-01, l2 = 4.28571428578550184252e-01, l3 = 3.33333329818377432918e-01, l4 = 2.72728123808534006489e-01,
                        l5 = 2.30660745775561754067e-01, l6 = 2.06975017800338417784e-01;
    static const double cp = 9.61796693925975554329e-01, cp_high = 9.61796700954437255859e-01, cp_low = -7.02846165095275826516e-09; /* 2 / (3 ln 2) */
    int n = 0, k;

    if (high_word(x) < 0x00100000) { /* without an implicit first bit */
        x *= 9007199254740992.0; /* 2^53 */
        n = -53;
    }
    int32_t high = high_word(x), fraction = high & 0xFFFFF;

    n += (high >> 20) - 0x3FF;
    high = fraction | 0x3FF00000;
    k = fraction > 0x3988E && fraction < 0xBB67A;
    if (fraction >= 0xBB67A) {
        n++;
        high -= 0x00100000;
    }
    x = with_high_word(x, high);
    double u = x - near[k], v = 1.0 / (x + near[k]), s = u * v, s_high = upper_half(s);
    double t_high = of_words(((high >> 1) | 0x20000000) + 0x00080000 + (k << 18), 0), t_low = x - (t_high - near[k]);
    double s_low = v * ((u - s_high * t_high) - s_high * t_low), square = s * s;
    double r = square * square * (l1 + square * (l2 + square * (l3 + square * (l4 + square * (l5 + square * l6)))));

    r += s_low * (s_high + s);
    square = s_high * s_high;
    t_high = upper_half(3.0 + square + r);
    t_low = r - ((t_high - 3.0) - square);
    u = s_high * t_high;
    v = s_low * t_high + t_low * s;
    double p_high = upper_half(u + v), p_low = v - (p_high - u), z_high = cp_high * p_high, z_low = cp_low * p_high + p_low * cp + log2_low[k];
    double sum = upper_half(((z_high + z_low) + log2_high[k]) + n);

    return (Pair){sum, z_low - (((sum - n) - log2_high[k]) - z_high)};
}

/* 2^(p.high + p.low), of a sum from -1075 to 1024. */
static double exp2_of(Pair p)
{
    static const double p1 = 1.66666666666666019037e-01, p2 = -2.77777777770155933842e-03, p3 = 6.61375632143793436117e-05, p4 = -1.65339022054652515390e-06,
                        p5 = 4.13813679705723846039e-08;
    static const double ln2 = 6.93147180559945286227e-01, ln2_high = 6.93147182464599609375e-01, ln2_low = -1.90465429995776804525e-09;
    int32_t word = high_word(p.low + p.high), size = word & 0x7FFFFFFF, n = 0;

    if (size > 0x3FE00000) { /* above 0.5: the nearest whole number goes to the exponent */
        n = word + (0x00100000 >> ((size >> 20) - 0x3FF + 1));
        int k = ((n & 0x7FFFFFFF) >> 20) - 0x3FF;

        p.high -= of_words(n & ~(0xFFFFF >> k), 0);
        n = ((n & 0xFFFFF) | 0x00100000) >> (20 - k);
        if (word < 0)
            n = -n;
    }
    double t = upper_half(p.low + p.high), u = t * ln2_high, v = (p.low - (t - p.high)) * ln2 + t * ln2_low, z = u + v, w = v - (z - u);

    t = z * z;
    double t1 = z - t * (p1 + t * (p2 + t * (p3 + t * (p4 + t * p5)))), r = (z * t1) / (t1 - 2.0) - (w + z * w);

    z = 1.0 - (r - z);
    return (high_word(z) >> 20) + n <= 0 ? ldexp(z, n) : scaled(z, n);
}

/* 0: no whole number; 1: odd; 2: even */
static int parity(double y)
{
    y = fabs(y);
    if (y >= 9007199254740992.0) /* 2^53 */
        return 2;
    return y == floor(y) ? 2 - (int)((int64_t)y & 1) : 0;
}

double java_pow(double x, double y)
{
    static const double overflow_rest = 8.0085662595372944372e-17; /* -(1024 - log2(the largest number + half of its last digit)) */
    double a = fabs(x), sign = 1;

    if (y == 0)
        return 1;
    if (isnan(x) || isnan(y))
        return (double)NAN;
    if (y == 2)
        return x * x;
    if (y == 0.5 && !(isinf(x) && x < 0))
        return x < 0 ? (double)NAN : sqrt(x + 0.0);
    if (fabs(y) == 1)
        return y == 1 ? x : 1.0 / x;
    if (isinf(y))
        return a == 1 ? (double)NAN : (a > 1) == (y > 0) ? (double)INFINITY : 0;
    if (high_word(x) < 0) {
        int whole = parity(y);

        sign = whole == 1 ? -1 : 1;
        if (!whole && a != 0 && !isinf(a))
            return (double)NAN;
    }
    if (a == 0 || isinf(a) || a == 1)
        return sign * (y < 0 ? 1.0 / a : a);
    Pair log;

    if (high_word(fabs(y)) > 0x41E00000) { /* 2^31: all but the next to 1 overflows or vanishes */
        if (high_word(a) < 0x3FEFFFFF)
            return sign * (y < 0 ? (double)INFINITY : 0);
        if (high_word(a) > 0x3FF00000)
            return sign * (y > 0 ? (double)INFINITY : 0);
        log = log2_near_one(a);
    } else {
        log = log2_of(a);
    }
    double y_upper = upper_half(y);
    Pair p = {y_upper * log.high, (y - y_upper) * log.high + y * log.low};
    double z = p.low + p.high;

    if (z > 1024 || (z == 1024 && p.low + overflow_rest > z - p.high))
        return sign * (double)INFINITY;
    if (z < -1075 || (z == -1075 && p.low <= z - p.high))
        return sign * 0.0;
    return sign * exp2_of(p);
}

/* A third of the exponent's bits, one step with 23 digits, one of Newton's. */
double java_cbrt(double x)
{
    static const double c = 5.42857142857142815906e-01, d = -7.05306122448979611050e-01, e = 1.41428571428571436819e+00, f = 1.60714285714285720630e+00,
                        g = 3.57142857142857150787e-01;
    double a = fabs(x), t;

    if (!isfinite(x) || x == 0)
        return x;
    t = high_word(a) < 0x00100000 ? of_words(high_word(a * 18014398509481984.0) / 3 + 696219795, 0) : of_words(high_word(a) / 3 + 715094163, 0);
    double r = t * t / a, s = c + r * t;

    t *= g + f / (s + e + d / s);
    t = of_words(high_word(t) + 1, 0);
    s = t * t;
    r = a / s;
    t += t * ((r - t) / (t + t + r));
    return x < 0 ? -t : t;
}

double java_hypot(double x, double y)
{
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    int k = 0;

    if (isinf(x) || isinf(y))
        return (double)INFINITY;
    if (isnan(x) || isnan(y))
        return (double)NAN;
    int32_t a_word = high_word(a), b_word = high_word(b);

    if (a_word - b_word > 0x3C00000) /* 2^60 */
        return a + b;
    if (a_word > 0x5F300000) { /* 2^500 */
        a = ldexp(a, k = -600);
        b = ldexp(b, k);
    } else if (b_word < 0x20B00000) { /* 2^-500 */
        if (b == 0)
            return a;
        k = b_word < 0x00100000 ? 1022 : 600;
        a = ldexp(a, k);
        b = ldexp(b, k);
    }
    if (k != 1022) { /* fdlibm leaves these words as they were */
        a_word = high_word(a);
        b_word = high_word(b);
    }
    double w = a - b;

    if (w > b) {
        double t1 = of_words(a_word, 0), t2 = a - t1;

        w = sqrt(t1 * t1 - (b * -b - t2 * (a + t1)));
    } else {
        double y1 = of_words(b_word, 0), y2 = b - y1, t1 = of_words(a_word + 0x00100000, 0);

        a += a;
        w = sqrt(t1 * y1 - (w * -w - (t1 * y2 + (a - t1) * b)));
    }
    return k ? ldexp(w, -k) : w;
}
