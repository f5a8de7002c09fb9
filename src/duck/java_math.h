#pragma once
/* duck/java_math.h - functions of doubles with the very bits of Java's StrictMath, which Spark's have */

double java_exp(double x);
double java_expm1(double x);
double java_log(double x);   /* natural; NaN below 0, -infinity of 0 */
double java_log10(double x);
double java_log1p(double x); /* NaN below -1, -infinity of -1 */
double java_pow(double x, double y);
double java_cbrt(double x);
double java_hypot(double x, double y);
double java_asin(double x); /* NaN beyond -1 to 1, as acos and atanh */
double java_acos(double x);
double java_atan(double x);
double java_atan2(double y, double x);
double java_sinh(double x);
double java_cosh(double x);
double java_tanh(double x);
double java_asinh(double x);
double java_acosh(double x); /* NaN below 1 */
double java_atanh(double x);
