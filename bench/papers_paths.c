/* Klosowski et al. 1998: how much the results depend on what our scenes had to guess about the paper's: what a billiard
 * path does at a contact, and where the obstacles of Swept lie. */
#include <math.h>

#include "papers.h"

static const paper_row dops[PAPER_DOPS] = {{"6-dop", "k=6" PAPER_SETTING},
                                           {"14-dop", "k=14" PAPER_SETTING},
                                           {"18-dop", "k=18" PAPER_SETTING},
                                           {"26-dop", "k=26" PAPER_SETTING}};

/* ---- Billiard paths ---- */

enum {
    BOUNCES = 3,
    BILLIARDS = 3 /* the first scenes; the others come with their paths */
};

static void print_bounces(paper_measured measured[BOUNCES], const char *const titles[BOUNCES])
{
    double contacts[BOUNCES], hits[BOUNCES];
    for (int b = 0; b < BOUNCES; b++) {
        contacts[b] = (double)measured[b].results[0].pairs;
        hits[b] = (double)measured[b].results[0].hits;
    }
    papers_print_titles(measured[0].scene, titles, BOUNCES);
    papers_print_numbers("contacts", contacts, BOUNCES, 0);
    papers_print_numbers("steps with contacts", hits, BOUNCES, 0);
    papers_print_quantity("Microseconds a check", dops, PAPER_DOPS, measured, BOUNCES, PAPER_MICROSECONDS);
    papers_print_quantity("N_v: volume tests per check", dops, PAPER_DOPS, measured, BOUNCES, PAPER_VOLUME_TESTS);
    papers_print_quantity("N_u: updates per check", dops, PAPER_DOPS, measured, BOUNCES, PAPER_UPDATES);
    papers_print_quantity("N_p: triangle tests per check", dops, PAPER_DOPS, measured, BOUNCES, PAPER_TRIANGLE_TESTS);
}

void papers_billiard(papers *p)
{
    static const char *const titles[BOUNCES] = {"aside", "back", "retrace"};
    for (int i = 0; i < BILLIARDS; i++) {
        paper_measured measured[BOUNCES];
        for (int b = 0; b < BOUNCES; b++) {
            models_scene scene = papers_make_scene(p, models_scene_names()[i], (models_bounce)b);
            measured[b] = papers_measure(p, &scene, dops, PAPER_DOPS, TUMBLE_ALL, NULL);
            measured[b].scene = models_scene_names()[i];
            models_free_scene(&scene);
            for (size_t row = 0; row < PAPER_DOPS; row++) {
                const paper_note note = {titles[b], b, NAN, paper_table_2[row][i], "ms"};
                papers_write(p, &measured[b], row, dops[row].label, &note);
            }
        }
        print_bounces(measured, titles);
        for (int b = 0; b < BOUNCES; b++) {
            papers_free(&measured[b]);
        }
    }
}

/* ---- Swept ---- */

enum {
    SWEPT = 3 /* its column in the paper's tables */
};

static void print_paper_costs(const paper_measured measured[2])
{
    puts("Our counts at the paper's costs, milliseconds per check; the paper");
    for (int row = 0; row < PAPER_DOPS; row++) {
        const double values[3] = {papers_at_paper_costs(&paper_table_1[row], &measured[0].results[row]),
                                  papers_at_paper_costs(&paper_table_1[row], &measured[1].results[row]),
                                  paper_table_2[row][SWEPT]};
        papers_print_numbers(dops[row].label, values, 3, 3);
    }
}

void papers_swept(papers *p)
{
    static const char *const names[2] = {"swept", "swept-hull"}, *const titles[3] = {"clear bars", "clear hull",
                                                                                     "paper"};
    paper_measured measured[2];
    for (int i = 0; i < 2; i++) {
        models_scene scene = papers_make_scene(p, names[i], MODELS_BOUNCE_ASIDE);
        measured[i] = papers_measure(p, &scene, dops, PAPER_DOPS, TUMBLE_ALL, NULL);
        measured[i].scene = names[i];
        models_free_scene(&scene);
        for (size_t row = 0; row < PAPER_DOPS; row++) {
            const paper_note note = {"", NAN, NAN, paper_table_2[row][SWEPT], "ms"};
            papers_write(p, &measured[i], row, dops[row].label, &note);
        }
    }
    papers_print_titles("What the obstacles leave free", titles, 3);
    papers_print_quantity("Microseconds a check", dops, PAPER_DOPS, measured, 2, PAPER_MICROSECONDS);
    papers_print_quantity("N_v: volume tests per check", dops, PAPER_DOPS, measured, 2, PAPER_VOLUME_TESTS);
    papers_print_quantity("N_u: updates per check", dops, PAPER_DOPS, measured, 2, PAPER_UPDATES);
    papers_print_quantity("N_p: triangle tests per check", dops, PAPER_DOPS, measured, 2, PAPER_TRIANGLE_TESTS);
    print_paper_costs(measured);
    for (int i = 0; i < 2; i++) {
        papers_free(&measured[i]);
    }
}
