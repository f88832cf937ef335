/* Answers of a run, kept in a folder: so that a run that was killed goes on where it was, and several machines share
 * the work. A file of answers begins with a hash of all questions; then there is a record for each answer, in any
 * order. What a killed run left behind it ends with is cut off. */
#ifndef TUMBLE_SRC_CLASH_JOB_H
#define TUMBLE_SRC_CLASH_JOB_H

#include "clash/clashes.h"

#define TMB_CLASH_CHUNK 64 /* questions that a part of a job gets one after the other */

/* Start with what is wanted. */
typedef struct tmb_clash_job {
    const char *folder;        /* which exists */
    uint32_t part, part_count; /* from 1: answers every part_count-th chunk of questions only; 0, 0: all */
    int must_be_complete;      /* asks nothing: an error if an answer is missing */
    /* Results. */
    uint64_t known_count;  /* answers that were there */
    uint64_t answer_count; /* all that are there now, of question_count */
    uint64_t question_count;
    /* Inside. */
    tumble_clashes *clashes;
    unsigned char fingerprint[TMB_SHA256_BYTES];
    char *path; /* of the file that is being written */
    int descriptor;
    int error; /* errno of what went wrong first */
    tmb_buffer pending;
    size_t pending_bytes;
} tmb_clash_job;

/* tumble_clash_run that keeps its answers. With a part of a job the clashes are those of the answers that are there.
 *
 * Errors: those of tumble_clash_run
 *         TUMBLE_ERROR_FILE
 *         TUMBLE_ERROR_FORMAT  a file of answers is of other questions, or answers are missing */
tumble_status tmb_clash_run_job(const tumble_assembly *assembly, const tumble_clash_options *options,
                                tmb_clash_job *job, tumble_clashes **out);

/* For answer_all.c: takes the answers that are there, and opens the file for others. */
tumble_status tmb_clash_job_begin(tumble_clashes *clashes);

/* Whether a question, of which there is no answer, is to be asked. */
int tmb_clash_job_wants(const tumble_clashes *clashes, size_t question);

/* Keeps an answer, and writes those that are kept; only one thread at a time. */
void tmb_clash_job_keep(tumble_clashes *clashes, size_t question);
void tmb_clash_job_flush(tumble_clashes *clashes);

/* Closes the file; returns what went wrong. */
tumble_status tmb_clash_job_end(tumble_clashes *clashes);

#endif
