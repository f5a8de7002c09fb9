/*
 * duck/java_math_trig.c - inverse and hyperbolic trigonometric functions with the very bits of Java's StrictMath, after fdlibm (see java_math.c)
 *
 * sin, cos and tan are not here: Java's virtual machine computes them by instructions of its own, and the C library's agree with those in all but one of
 * about 900 arguments, fdlibm's in all but one of 32.
 */
#include <math.h>

#include "duck/java_math.h"
#include "duck/java_math_bits.h"

static const double pi = 3.14159265358979311600e+00, pi_low = 1.22464679914735317720e-16;
static const double half_pi = 1.57079632679489655800e+00, half_pi_low = 6.12323399573676603587e-17;
static const double ln2 = 6.93147180559945286227e-01;

/* ---- asin, acos: x + x R(x^2) around 0, by half angles towards 1 ---- */

static double arc_ratio(double t)
{
    static const double p0 = 1.66666666666666657415e-01, p1 = -3.25565818622400915405e-01, p2 = 2.01212532134862925881e-01, p3 = -4.00555345006794114027e-02,
                        p4 = 7.91534994289814532176e-04, p5 = 3.47933107596021167570e-05;
    static const double q1 = -2.40339491173441421878e+00, q2 = 2.02094576023350569471e+00, q3 = -6.88283971605453293030e-01, q4 = 7.70381505559019352791e-02;

    return t * (p0 + t * (p1 + t * (p2 + t * (p3 + t * (p4 + t * p5))))) / (1.0 + t * (q1 + t * (q2 + t * (q3 + t * q4))));
}

double java_asin(double x)
{
    int32_t size = high_word(x) & 0x7FFFFFFF;

    if (isnan(x) || fabs(x) > 1)
        return (double)NAN;
    if (fabs(x) == 1)
        return x * half_pi + x * half_pi_low;
    if (size < 0x3FE00000) /* 0.5 */
        return size < 0x3E400000 ? x : x + x * arc_ratio(x * x);
    double t = (1.0 - fabs(x)) * 0.5, r = arc_ratio(t), s = sqrt(t);

    if (size >= 0x3FEF3333) { /* 0.975 */
        t = half_pi - (2.0 * (s + s * r) - half_pi_low);
    } else {
        double w = upper_half(s), c = (t - w * w) / (s + w), p = 2.0 * s * r - (half_pi_low - 2.0 * c), q = half_pi / 2 - 2.0 * w;

        t = half_pi / 2 - (p - q);
    }
    return x > 0 ? t : -t;
}

double java_acos(double x)
{
    int32_t size = high_word(x) & 0x7FFFFFFF;

    if (isnan(x) || fabs(x) > 1)
        return (double)NAN;
    if (fabs(x) == 1)
        return x > 0 ? 0.0 : pi + 2.0 * half_pi_low;
    if (size < 0x3FE00000) /* 0.5 */
        return size <= 0x3C600000 ? half_pi + half_pi_low : half_pi - (x - (half_pi_low - x * arc_ratio(x * x)));
    double z = (1.0 - fabs(x)) * 0.5, r = arc_ratio(z), s = sqrt(z);

    if (x < 0)
        return pi - 2.0 * (s + (r * s - half_pi_low));
    double upper = upper_half(s), c = (z - upper * upper) / (s + upper);

    return 2.0 * (upper + (r * s + c));
}

/* ---- atan: x moved near to 0 by one of four known angles ---- */

double java_atan(double x)
{
    static const double high[] = {4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01, 1.57079632679489655800e+00};
    static const double low[] = {2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17, 6.12323399573676603587e-17};
    static const double a0 = 3.33333333333329318027e-01, a1 = -1.99999999998764832476e-01, a2 = 1.42857142725034663711e-01, a3 = -1.11111104054623557880e-01,
                        a4 = 9.09088713343650656196e-02, a5 = -7.69187620504482999495e-02, a6 = 6.66107313738753120669e-02, a7 = -5.83357013379057348645e-02,
                        a8 = 4.97687799461593236017e-02, a9 = -3.65315727442169155270e-02, a10 = 1.62858201153657823623e-02;
    int32_t size = high_word(x) & 0x7FFFFFFF;
    bool below = high_word(x) < 0;
    int angle = -1;

    if (isnan(x))
        return x;
    if (size >= 0x44100000) /* 2^66 */
        return below ? -high[3] - low[3] : high[3] + low[3];
    if (size >= 0x3FDC0000) { /* 7/16 */
        x = fabs(x);
        if (size < 0x3FE60000) { /* 11/16 */
            angle = 0;
            x = (2.0 * x - 1.0) / (2.0 + x);
        } else if (size < 0x3FF30000) { /* 19/16 */
            angle = 1;
            x = (x - 1.0) / (x + 1.0);
        } else if (size < 0x40038000) { /* 39/16 */
            angle = 2;
            x = (x - 1.5) / (1.0 + 1.5 * x);
        } else {
            angle = 3;
            x = -1.0 / x;
        }
    } else if (size < 0x3E200000) { /* 2^-29 */
        return x;
    }
    double z = x * x, w = z * z, odd = z * (a0 + w * (a2 + w * (a4 + w * (a6 + w * (a8 + w * a10))))), even = w * (a1 + w * (a3 + w * (a5 + w * (a7 + w * a9))));

    if (angle < 0)
        return x - x * (odd + even);
    z = high[angle] - ((x * (odd + even) - low[angle]) - x);
    return below ? -z : z;
}

double java_atan2(double y, double x)
{
    bool up = high_word(y) >= 0, right = high_word(x) >= 0;
    double z;

    if (isnan(x) || isnan(y))
        return (double)NAN;
    if (x == 1)
        return java_atan(y);
    if (y == 0)
        return right ? y : up ? pi : -pi;
    if (x == 0 || (isinf(y) && !isinf(x)))
        return up ? half_pi : -half_pi;
    if (isinf(x) && isinf(y))
        z = right ? half_pi / 2 : 3.0 * (half_pi / 2);
    else if (isinf(x))
        z = right ? 0 : pi;
    else {
        int apart = ((high_word(y) & 0x7FFFFFFF) - (high_word(x) & 0x7FFFFFFF)) >> 20;

        z = apart > 60 ? half_pi + 0.5 * pi_low : !right && apart < -60 ? 0 : java_atan(fabs(y / x));
        if (!right)
            return up ? pi - (z - pi_low) : (z - pi_low) - pi;
    }
    return up ? z : -z;
}

/* ---- hyperbolic ---- */

enum { LARGE = 0x40360000, EXP_OVERFLOWS = 0x40862E42 }; /* 22; 709.78 */
static const double half_overflows = 7.10475860073943863426e+02;

double java_sinh(double x)
{
    int32_t size = high_word(x) & 0x7FFFFFFF;
    double half = x < 0 ? -0.5 : 0.5, a = fabs(x);

    if (!isfinite(x) || size < 0x3E300000) /* 2^-28 */
        return x;
    if (size < LARGE) {
        double t = java_expm1(a);

        return size < 0x3FF00000 ? half * (2.0 * t - t * t / (t + 1.0)) : half * (t + t / (t + 1.0));
    }
    if (size < EXP_OVERFLOWS)
        return half * java_exp(a);
    if (a > half_overflows)
        return x < 0 ? (double)-INFINITY : (double)INFINITY;
    double w = java_exp(0.5 * a);

    return half * w * w;
}

double java_cosh(double x)
{
    int32_t size = high_word(x) & 0x7FFFFFFF;
    double a = fabs(x);

    if (!isfinite(x))
        return x * x;
    if (size < 0x3FD62E43) { /* half of ln 2 */
        double t = java_expm1(a), w = 1.0 + t;

        return size < 0x3C800000 ? w : 1.0 + t * t / (w + w);
    }
    if (size < LARGE) {
        double t = java_exp(a);

        return 0.5 * t + 0.5 / t;
    }
    if (size < EXP_OVERFLOWS)
        return 0.5 * java_exp(a);
    if (a > half_overflows)
        return (double)INFINITY;
    double w = java_exp(0.5 * a);

    return 0.5 * w * w;
}

double java_tanh(double x)
{
    int32_t size = high_word(x) & 0x7FFFFFFF;
    double z = 1;

    if (isnan(x))
        return x;
    if (size < 0x3C800000) /* 2^-55 */
        return x * (1.0 + x);
    if (size < LARGE) {
        double t = java_expm1(size >= 0x3FF00000 ? 2.0 * fabs(x) : -2.0 * fabs(x));

        z = size >= 0x3FF00000 ? 1.0 - 2.0 / (t + 2.0) : -t / (t + 2.0);
    }
    return x < 0 ? -z : z;
}

/* ---- inverse hyperbolic ---- */

double java_asinh(double x)
{
    int32_t size = high_word(x) & 0x7FFFFFFF;
    double a = fabs(x), w;

    if (!isfinite(x) || size < 0x3E300000) /* 2^-28 */
        return x;
    if (size > 0x41B00000) { /* 2^28 */
        w = java_log(a) + ln2;
    } else if (size > 0x40000000) {
        w = java_log(2.0 * a + 1.0 / (sqrt(x * x + 1.0) + a));
    } else {
        double t = x * x;

        w = java_log1p(a + t / (1.0 + sqrt(1.0 + t)));
    }
    return x > 0 ? w : -w;
}

double java_acosh(double x)
{
    if (isnan(x) || x < 1)
        return (double)NAN;
    if (isinf(x))
        return x;
    if (high_word(x) >= 0x41B00000) /* 2^28 */
        return java_log(x) + ln2;
    if (x > 2)
        return java_log(2.0 * x - 1.0 / (x + sqrt(x * x - 1.0)));
    double t = x - 1.0;

    return java_log1p(t + sqrt(2.0 * t + t * t));
}

/* As Spark has it, not fdlibm. */
double java_atanh(double x)
{
    return 0.5 * (java_log1p(x) - java_log1p(-x));
}
