/* tumble clash: which parts of an assembly clash, and how. */
#include "clash.h"

#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "output_options.h"
#include "progress.h"
#include "svg.h"

/* An interrupt ends the run, but not the program: what is known is still told. */
static bool take_progress(void *user, uint64_t done, uint64_t total)
{
    cli_progress_set(user, total ? (double)done / (double)total : 1);
    return cli_interrupted() != 0;
}

static int compare_parts(clash_run *run)
{
    const clash_settings *s = run->settings;
    tumble_clash_options options = tumble_default_clash_options();
    if (s->before) {
        const tumble_status status = tumble_clash_before_read(run->context, s->before, &run->before);
        if (status != TUMBLE_OK) {
            return cli_library_error(run->context, status, s->before);
        }
    }
    cli_progress *progress = cli_progress_begin("comparing parts");
    options.clearance = s->clearance;
    options.touch = s->touch;
    options.depth_budget = (uint64_t)s->depth_budget;
    options.severity = (tumble_severity)s->severity;
    options.grouping = (tumble_grouping)s->group;
    options.group_radius = s->group_radius;
    options.rules = run->rules;
    options.before = run->before;
    options.retest = s->retest != 0;
    options.segment_limit = s->folder || s->job.folder ? options.segment_limit : 0;
    options.progress = take_progress;
    options.progress_user = progress;
    const tumble_status status =
        tmb_clash_run_job(run->assembly, &options, run->job.folder ? &run->job : NULL, &run->clashes);
    cli_progress_end(progress);
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, "clash");
}

static int is_failure(const clash_run *run)
{
    const tumble_clash_result *result = tumble_clashes_result(run->clashes);
    for (size_t i = 0; i < result->clash_count; i++) {
        if (!cli_clash_is_gone(&result->clashes[i]) && (int)result->clashes[i].severity >= run->settings->fail_on) {
            return 1;
        }
    }
    return 0;
}

/* What the assembly is called: "hall.obj and 2 more". */
static void set_title(clash_run *run, const cli_operands *operands)
{
    char more[40] = "";
    if (operands->count > 1) {
        snprintf(more, sizeof more, " and %zu more", operands->count - 1);
    }
    snprintf(run->title, sizeof run->title, "Clashes of %.100s%s", cli_base_name(operands->words[0]), more);
}

/* Without an assembly. */
static int check_rules_alone(clash_run *run)
{
    const tumble_status status = tumble_context_create(NULL, &run->context);
    if (status != TUMBLE_OK) {
        return cli_error("%s: free some memory", tumble_status_text(status));
    }
    const int error = cli_clash_read_rules(run, run->settings->check_rules);
    return error ? error : cli_clash_tell_rules(run);
}

static int run_clash(clash_run *run, const cli_operands *operands)
{
    const clash_settings *s = run->settings;
    const char *rules = s->check_rules ? s->check_rules : s->rules;
    if (s->check_rules && operands->count == 0) {
        return check_rules_alone(run);
    }
    if (operands->count == 0) {
        return cli_error("files or folders with models are missing: see tumble clash --help");
    }
    set_title(run, operands);
    int error = cli_clash_load(run, operands->words, operands->count);
    error = error || !rules ? error : cli_clash_read_rules(run, rules);
    if (!error && s->check_rules) {
        return cli_clash_tell_rules(run);
    }
    if (error) {
        return error;
    }
    cli_note_interrupts();
    error = compare_parts(run);
    if (!error && run->job.part_count > 0) {
        return cli_clash_job_tell(&run->job, cli_interrupted() != 0);
    }
    error = error || !run->settings->folder ? error : cli_clash_write(run);
    error = error ? error : cli_clash_tell(run);
    if (error) {
        return error;
    }
    if (is_failure(run)) {
        return CLI_EXIT_INTERSECT;
    }
    if (!tumble_clashes_result(run->clashes)->complete) {
        return cli_error("the run was interrupted before all parts were compared: start it again");
    }
    return CLI_EXIT_OK;
}

/* ---- the command ---- */

static const cli_choice severities[] = {
#define SEVERITY_CHOICE(name, number, word) {word, number, NULL},
    TUMBLE_SEVERITY_LIST(SEVERITY_CHOICE)
#undef SEVERITY_CHOICE
        {NULL, 0, NULL}};

static const cli_choice groupings[] = {
    {"parts", TUMBLE_GROUP_PARTS, "few parts that explain all clashes, each with its clashes"},
    {"classes", TUMBLE_GROUP_CLASSES, "clashes of the same two classes"},
    {"subtree", TUMBLE_GROUP_SUBTREE, "the nearest node of the tree that holds both parts"},
    {"near", TUMBLE_GROUP_NEAR, "places that are chained by steps of at most --group-radius"},
    {NULL, 0, NULL}};

static const cli_option question_options[] = {
    {.kind = CLI_NUMBER,
     .name = "clearance",
     .argument = "D",
     .help = "parts that are nearer than D clash, too",
     .offset = offsetof(clash_settings, clearance),
     .least = 0,
     .most = 1e300,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "touch",
     .argument = "T",
     .help = "crossings that are proven to end with a move of at most T are told as touching",
     .offset = offsetof(clash_settings, touch),
     .least = 0,
     .most = 1e300,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "depth-budget",
     .argument = "N",
     .help = "at most about N tests of boxes and triangles to find how deep two parts are in each other; 0: do not ask",
     .offset = offsetof(clash_settings, depth_budget),
     .least = 0,
     .most = 1e15,
     .whole = 1,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "severity",
     .argument = "S",
     .help = "how grave clashes are: info, minor, major or critical; touching is always info",
     .offset = offsetof(clash_settings, severity),
     .choices = severities,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "fail-on",
     .argument = "S",
     .help = "the exit status is 1 if there are clashes that are at least as grave: info, minor, major or critical",
     .offset = offsetof(clash_settings, fail_on),
     .choices = severities,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "group",
     .argument = "G",
     .help = "what belongs together in the report",
     .offset = offsetof(clash_settings, group),
     .choices = groupings,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "group-radius",
     .argument = "R",
     .help = "the length of a step for --group near",
     .offset = offsetof(clash_settings, group_radius),
     .least = 0,
     .most = 1e300},
    {.kind = CLI_TEXT,
     .name = "rules",
     .argument = "FILE",
     .help = "compares what the rules of this file say, a JSON file; --clearance, --touch and --severity are for rules "
             "that state none",
     .offset = offsetof(clash_settings, rules)},
    {.kind = CLI_TEXT,
     .name = "check-rules",
     .argument = "FILE",
     .help = "only checks a file of rules, and with FILES tells how many parts are in its sets",
     .offset = offsetof(clash_settings, check_rules)},
    {.kind = CLI_TEXT,
     .name = "before",
     .argument = "FILE",
     .help = "clashes.json of the last run: tells what is new, worse, resolved or could not be compared again, keeps "
             "statuses and comments, and compares only what can have changed",
     .offset = offsetof(clash_settings, before)},
    {.kind = CLI_FLAG,
     .name = "retest",
     .help = "with --before: compares everything again",
     .offset = offsetof(clash_settings, retest),
     .value = 1},
    {.name = NULL}};

static const cli_option output_options[] = {
    {.kind = CLI_TEXT,
     .letter = 'o',
     .name = "output",
     .argument = "FOLDER",
     .help =
         "writes the report into this folder, which is made if there is none: a page, index.html, and clashes.json, "
         "clashes.csv, summary.txt, summary.svg",
     .offset = offsetof(clash_settings, folder)},
    {.kind = CLI_FLAG,
     .name = "bcf",
     .help = "with -o: also clashes-2.1.bcf and clashes-3.0.bcf, a topic with a snapshot for each group",
     .offset = offsetof(clash_settings, bcf),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "ifcclash",
     .help = "with -o: also clashes.ifcclash.json, as IfcClash writes it",
     .offset = offsetof(clash_settings, ifcclash),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "limit",
     .argument = "N",
     .help = "lists at most N clashes in text",
     .offset = offsetof(clash_settings, limit),
     .least = 0,
     .most = 1e15,
     .whole = 1,
     .show_default = 1},
    {.name = NULL}};

static const cli_option machine_options[] = {{.kind = CLI_NUMBER,
                                              .name = "threads",
                                              .argument = "N",
                                              .help = "how many threads compare parts; 0: one per processor",
                                              .offset = offsetof(clash_settings, threads),
                                              .least = 0,
                                              .most = 256,
                                              .whole = 1,
                                              .show_default = 1},
                                             {.name = NULL}};

static const char description[] =
    "Compares every part of an assembly with every other one, exactly. The assembly is all FILES together, and of "
    "folders all model files below them. Objects of an OBJ file are parts, or its groups if it has no objects; of "
    "glTF, "
    "3MF, Collada and FBX nodes with meshes, of IFC products; any other file is one part. A list of parts, FILE.csv "
    "with the columns name,file,pose or FILE.json with the same members, names files and says where they are. Of a "
    "robot, FILE.urdf, each collision shape of a link is a part. Units and axes must agree, or be converted with "
    "--units and --up.\n"
    "\n"
    "Kinds of clashes:\n"
    "  crossing   they interpenetrate\n"
    "  contained  all of one is inside the other\n"
    "  touching   they have points in common, but nothing of one is inside the other\n"
    "  clearance  they are apart, but nearer than --clearance\n"
    "  duplicate  they have exactly the same points\n"
    "  undefined  they meet, but an open surface has no inside\n"
    "\n"
    "An interrupt ends the run with what is known by then. Parts without polygons, or with coordinates that are not "
    "finite, are listed as broken.";

int cli_clash(const char *program, int argc, char **argv)
{
    (void)program;
    clash_settings settings = {.limit = 20,
                               .depth_budget = (double)tumble_default_clash_options().depth_budget,
                               .input = cli_default_input_options(),
                               .group_radius = -1,
                               .severity = TUMBLE_SEVERITY_MAJOR,
                               .fail_on = TUMBLE_SEVERITY_MINOR};
    cli_section sections[] = {{.title = "Question", .options = question_options, .target = &settings},
                              {.title = "Output", .options = output_options, .target = &settings},
                              {.title = "Machine", .options = machine_options, .target = &settings},
                              cli_input_section(&settings.input),
                              cli_robot_section(&settings.robot),
                              cli_clash_job_section(&settings.job),
                              {.title = NULL}};
    const cli_usage usage = {.name = "clash",
                             .purpose = "finds which parts of an assembly clash, and how",
                             .usage = "tumble clash FILES [-o FOLDER] [options]",
                             .description = description,
                             .sections = sections,
                             .examples = "tumble make cell -o cell\n"
                                         "tumble clash cell -o report\n"
                                         "tumble clash cell --clearance 5 --fail-on info\n"
                                         "tumble clash cell --before report/clashes.json -o report\n"
                                         "tumble clash --check-rules rules.json",
                             .exit_status = "0  no clashes as grave as --fail-on\n"
                                            "1  there are some\n"
                                            "2  an error; stderr says what to do",
                             .least_operands = 0,
                             .most_operands = CLI_MOST_OPERANDS,
                             .operands = "files or folders with models"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (settings.robot.state && !settings.robot.srdf) {
        return cli_error("--state: states are in an SRDF file: give it with --srdf");
    }
    if (settings.group == TUMBLE_GROUP_NEAR && settings.group_radius < 0) {
        return cli_error("--group near: the length of the steps is missing: give a --group-radius");
    }
    settings.group_radius = settings.group_radius < 0 ? 0 : settings.group_radius;
    clash_run run = {.settings = &settings};
    const int error = cli_clash_job_begin(&settings.job, &run.job);
    exit_status = error ? error : run_clash(&run, &operands);
    tumble_clashes_destroy(run.clashes);
    tumble_clash_before_destroy(run.before);
    tumble_clash_rules_destroy(run.rules);
    tumble_assembly_destroy(run.assembly);
    tumble_context_destroy(run.context);
    cli_free_file_list(&run.files);
    return exit_status;
}
