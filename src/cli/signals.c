/*
 * cli/signals.c - the first SIGINT or SIGTERM asks, the second ends
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "cli/cli.h"

static SiltProject *volatile stopping_project;
static SiltSession *volatile running_session;
static volatile sig_atomic_t at_prompt;
static volatile sig_atomic_t interrupted; /* since signals_take_interrupt was asked last */
static volatile sig_atomic_t caught; /* the first signal that came */

static void on_signal(int number)
{
    if (caught && !(at_prompt && number == SIGINT))
        _exit(number == SIGINT ? EXIT_SIGINT : EXIT_SIGTERM);
    if (!(at_prompt && number == SIGINT))
        caught = number;
    interrupted = 1;
    if (stopping_project)
        silt_project_stop(stopping_project);
    if (running_session)
        silt_session_interrupt(running_session);
    if (at_prompt && number == SIGTERM)
        _exit(EXIT_SIGTERM);
}

static void install(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write, not an end without a word */
}

void signals_stop_project(SiltProject *project)
{
    stopping_project = project;
    install();
}

void signals_interrupt_session(SiltSession *session, bool prompt)
{
    running_session = session;
    at_prompt = prompt;
    install();
}

bool signals_take_interrupt(void)
{
    bool found = interrupted;

    interrupted = 0;
    return found;
}

void signals_default(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    stopping_project = NULL;
    running_session = NULL;
}

int signals_exit_code(void)
{
    return caught == SIGINT ? EXIT_SIGINT : caught == SIGTERM ? EXIT_SIGTERM : 0;
}
