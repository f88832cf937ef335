/* tumble scene: what is asked about a step, and how it is told, in words or as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "message.h"
#include "report.h"
#include "scene.h"

static const char *name_of(const scene_run *run, tumble_object object)
{
    return run->file.objects[object.index].name; /* objects are added in the order of the file, and stay */
}

/* The index of an object in a message of the library, "objects {3, 1} and {5, 1}: ...", after the words `before`; moves
 * on behind it. NULL if there is none. */
static const char *take_object(const scene_run *run, const char *text, const char *before, size_t *index)
{
    if (!text || strncmp(text, before, strlen(before)) != 0) {
        return NULL;
    }
    *index = strtoul(text + strlen(before), NULL, 10);
    const char *end = strchr(text, '}');
    return end && *index < run->file.object_count ? end + 1 : NULL;
}

/* The library knows numbers of objects, the user names. */
static int report_error(const scene_run *run, const tumble_query *query, tumble_status status)
{
    char text[1024] = "";
    size_t a = 0, b = 0;
    (void)tumble_query_error(query, text, sizeof text);
    const char *rest = take_object(run, text, "objects {", &a);
    rest = take_object(run, rest, " and {", &b);
    if (!rest) {
        return cli_query_error(query, status);
    }
    return cli_error("step %" PRIu64 ": '%s' as A and '%s' as B%s: %s", run->step, run->file.objects[a].name,
                     run->file.objects[b].name, rest, cli_advice(status));
}

int cli_scene_ask(scene_run *run, tumble_query *query, tumble_scene_mode mode, tumble_scene_answer *answer)
{
    tumble_scene_question question = tumble_default_scene_question();
    question.mode = mode;
    question.clearance = mode <= TUMBLE_SCENE_ALL ? run->settings->clearance : 0;
    question.within = mode == TUMBLE_SCENE_DISTANCE ? run->settings->distance : INFINITY;
    const tumble_status status = tumble_scene_collide(query, run->scene, &question, answer);
    return status == TUMBLE_OK ? 0 : report_error(run, query, status);
}

/* ---- JSON ---- */

static void json_names(const scene_run *run, cli_json *json, tumble_object a, tumble_object b)
{
    cli_json_open_array(json, NULL);
    cli_json_text(json, NULL, name_of(run, a));
    cli_json_text(json, NULL, name_of(run, b));
}

static void json_meetings(const scene_run *run, cli_json *json, const char *key, const tumble_scene_answer *answer,
                          int only_new)
{
    cli_json_open_array(json, key);
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        const tumble_meeting *meeting = &answer->meetings[i];
        if (!only_new || meeting->event == TUMBLE_BEGAN) {
            json_names(run, json, meeting->a, meeting->b);
            cli_json_close_array(json);
        }
    }
    cli_json_close_array(json);
}

static void json_touching(const scene_run *run, cli_json *json, const tumble_scene_answer *answer)
{
    json_meetings(run, json, "pairs", answer, 0);
    json_meetings(run, json, "began", answer, 1);
    cli_json_open_array(json, "ended");
    for (uint64_t i = 0; i < answer->ended_count; i++) {
        json_names(run, json, answer->ended[i].a, answer->ended[i].b);
        cli_json_close_array(json);
    }
    cli_json_close_array(json);
}

/* ---- Words ---- */

static void say_more(const scene_run *run, uint64_t count, uint64_t most)
{
    const uint64_t limit = cli_limit_of(&run->settings->output);
    if (count > limit) {
        fprintf(run->out.file, "  ... and %s more: --limit %" PRIu64 " lists them all\n",
                cli_format_number_of(count - limit, "pair", "pairs").text, most);
    }
}

static void add_names(const scene_run *run, cli_table *table, tumble_object a, tumble_object b)
{
    cli_table_add(table, "%s", name_of(run, a));
    cli_table_add(table, "%s", name_of(run, b));
}

/* All pairs that touch. */
static int text_pairs(const scene_run *run, const tumble_scene_answer *answer)
{
    const uint64_t limit = cli_limit_of(&run->settings->output);
    cli_table table = {.alignments = "ll"};
    for (uint64_t i = 0; i < answer->meeting_count && i < limit; i++) {
        add_names(run, &table, answer->meetings[i].a, answer->meetings[i].b);
    }
    const int error = cli_table_print(&table, run->out.file, 2);
    say_more(run, answer->meeting_count, answer->meeting_count);
    return error;
}

/* What is different from the step before. */
static int text_changes(const scene_run *run, const tumble_scene_answer *answer)
{
    const uint64_t limit = cli_limit_of(&run->settings->output);
    uint64_t count = 0;
    cli_table table = {.alignments = "lll"};
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        const tumble_meeting *meeting = &answer->meetings[i];
        if (meeting->event == TUMBLE_BEGAN && count++ < limit) {
            cli_table_add(&table, "began");
            add_names(run, &table, meeting->a, meeting->b);
        }
    }
    for (uint64_t i = 0; i < answer->ended_count; i++) {
        if (count++ < limit) {
            cli_table_add(&table, "ended");
            add_names(run, &table, answer->ended[i].a, answer->ended[i].b);
        }
    }
    const int error = cli_table_print(&table, run->out.file, 2);
    say_more(run, count, count);
    return error;
}

static void text_headline(const scene_run *run, const tumble_scene_answer *answer)
{
    FILE *file = run->out.file;
    if (run->settings->steps) {
        fprintf(file, "step %" PRIu64 ": ", run->step);
    }
    if (answer->meeting_count == 0) {
        fputs("nothing touches\n", file);
    } else {
        fprintf(file, "%s %s\n", cli_format_number_of(answer->meeting_count, "pair", "pairs").text,
                answer->meeting_count == 1 ? "touches" : "touch");
    }
}

static int asks_more(const scene_settings *s)
{
    return s->relation || s->nearest || s->distance >= 0;
}

/* A motion is told by what changes; steps at which nothing does are left out. */
static int text_touching(const scene_run *run, const tumble_scene_answer *answer)
{
    if (!run->settings->steps) {
        text_headline(run, answer);
        return text_pairs(run, answer);
    }
    uint64_t changes = answer->ended_count;
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        changes += answer->meetings[i].event == TUMBLE_BEGAN;
    }
    if (changes > 0 || asks_more(run->settings)) {
        text_headline(run, answer);
    }
    return text_changes(run, answer);
}

void cli_scene_tell_end(const scene_run *run)
{
    FILE *file = run->out.file;
    if (!run->settings->steps || run->settings->output.json) {
        return;
    }
    fprintf(file, "%s: ", cli_format_number_of(run->step_count, "step", "steps").text);
    if (run->touch_count == 0) {
        fputs("nothing touches at any of them\n", file);
    } else {
        fprintf(file, "something touches at %s of them, first at step %" PRIu64 "\n",
                cli_format_count(run->touch_count).text, run->first_touch);
    }
}

/* ---- What else is asked, each with a line per pair ---- */

typedef struct extra {
    const char *key;    /* in JSON */
    const char *phrase; /* in text */
    tumble_scene_mode mode;
} extra;

static const extra relations = {"relations", "not apart", TUMBLE_SCENE_RELATE};
static const extra distances = {"distances", "within", TUMBLE_SCENE_DISTANCE};
static const extra nearest = {"nearest", "nearest", TUMBLE_SCENE_NEAREST};

static void json_extra(const scene_run *run, cli_json *json, const extra *what, const tumble_scene_answer *answer)
{
    cli_json_open_array(json, what->key);
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        const tumble_meeting *meeting = &answer->meetings[i];
        json_names(run, json, meeting->a, meeting->b);
        if (what->mode == TUMBLE_SCENE_RELATE) {
            cli_json_text(json, NULL, tumble_relation_name(meeting->relation));
        } else {
            cli_json_real(json, NULL, meeting->nearest.distance);
        }
        cli_json_close_array(json);
    }
    cli_json_close_array(json);
}

static int text_extra(const scene_run *run, const extra *what, const tumble_scene_answer *answer)
{
    FILE *file = run->out.file;
    cli_table table = {.alignments = "lll"};
    fprintf(file, "  %s", what->phrase);
    if (what->mode == TUMBLE_SCENE_DISTANCE) {
        fprintf(file, " %.6g", run->settings->distance);
    }
    fprintf(file, ": %s\n",
            answer->meeting_count ? cli_format_number_of(answer->meeting_count, "pair", "pairs").text : "none");
    const uint64_t limit = cli_limit_of(&run->settings->output);
    for (uint64_t i = 0; i < answer->meeting_count && i < limit; i++) {
        const tumble_meeting *meeting = &answer->meetings[i];
        add_names(run, &table, meeting->a, meeting->b);
        if (what->mode == TUMBLE_SCENE_RELATE) {
            cli_table_add(&table, "%s", tumble_relation_name(meeting->relation));
        } else {
            cli_table_add(&table, "%.6g", meeting->nearest.distance);
        }
    }
    const int error = cli_table_print(&table, file, 4);
    say_more(run, answer->meeting_count, answer->meeting_count);
    return error;
}

static int tell_extra(scene_run *run, cli_json *json, tumble_query *query, const extra *what)
{
    tumble_scene_answer answer;
    int error = cli_scene_ask(run, query, what->mode, &answer);
    if (!error && json) {
        json_extra(run, json, what, &answer);
    } else if (!error) {
        error = text_extra(run, what, &answer);
    }
    return error;
}

static int tell_extras(scene_run *run, cli_json *json)
{
    const scene_settings *s = run->settings;
    int error = s->relation ? tell_extra(run, json, run->relate, &relations) : 0;
    error = error || s->distance < 0 ? error : tell_extra(run, json, run->near, &distances);
    return error || !s->nearest ? error : tell_extra(run, json, run->near, &nearest);
}

/* ---- A step ---- */

static void count_step(scene_run *run, const tumble_scene_answer *answer)
{
    if (answer->touch && run->touch_count == 0) {
        run->first_touch = run->step;
    }
    run->touch_count += answer->touch;
    run->step_count++;
}

int cli_scene_tell(scene_run *run)
{
    tumble_scene_answer answer;
    int error = cli_scene_ask(run, run->query, TUMBLE_SCENE_PAIRS, &answer);
    if (error) {
        return error;
    }
    count_step(run, &answer);
    if (!run->settings->output.json) {
        error = text_touching(run, &answer);
        return error ? error : tell_extras(run, NULL);
    }
    cli_json json = {.file = run->out.file};
    cli_json_open_object(&json, NULL);
    cli_json_whole(&json, "step", run->step);
    json_touching(run, &json, &answer);
    error = tell_extras(run, &json);
    cli_json_close_object(&json);
    return error;
}
