#pragma once
/* duck/java_math.h - functions of doubles with the very bits of Java's StrictMath */

double java_exp(double x);
double java_log(double x);
