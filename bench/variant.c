/* Variants: ways to build and to walk a tree. */
#include "variant.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

typedef struct word_value {
    const char *word; /* NULL ends a list */
    int value;
} word_value;

static const word_value hierarchies[] = {
#define HIERARCHY_WORD(name, number, word, text) {word, number},
    TUMBLE_HIERARCHY_LIST(HIERARCHY_WORD)
#undef HIERARCHY_WORD
        {NULL, 0}};
static const word_value layouts[] = {
    {"one-plane", TUMBLE_BOXTREE_ONE_PLANE}, {"two-planes", TUMBLE_BOXTREE_TWO_PLANES}, {NULL, 0}};
static const word_value axes[] = {
    {"all", TUMBLE_BOXTREE_ALL_AXES}, {"longest", TUMBLE_BOXTREE_LONGEST_AXIS}, {NULL, 0}};
static const word_value criteria[] = {
    {"volume", TUMBLE_BOXTREE_VOLUME}, {"volume-count", TUMBLE_BOXTREE_VOLUME_COUNT}, {NULL, 0}};
static const word_value growths[] = {
    {"seeds", TUMBLE_BOXTREE_GROW_FROM_SEEDS}, {"running", TUMBLE_BOXTREE_GROW_RUNNING}, {NULL, 0}};
static const word_value planes[] = {
    {"any", TUMBLE_BOXTREE_PLANES_ANY}, {"parallel", TUMBLE_BOXTREE_PLANES_PARALLEL}, {NULL, 0}};
static const word_value overlaps[] = {{"axes", TUMBLE_OVERLAP_AXES},
                                      {"tables", TUMBLE_OVERLAP_TABLES},
                                      {"sat", TUMBLE_OVERLAP_SAT},
                                      {"sat-lite", TUMBLE_OVERLAP_SAT_LITE},
                                      {NULL, 0}};
static const word_value directions[] = {{"b-into-a", TUMBLE_DIRECTION_B_INTO_A},
                                        {"a-into-b", TUMBLE_DIRECTION_A_INTO_B},
                                        {"both", TUMBLE_DIRECTION_BOTH},
                                        {NULL, 0}};
static const word_value descents[] = {{"larger", TUMBLE_DESCENT_LARGER}, {"both", TUMBLE_DESCENT_BOTH}, {NULL, 0}};
static const word_value simds[] = {
    {"scalar", TUMBLE_SIMD_SCALAR}, {"avx2", TUMBLE_SIMD_AVX2}, {"avx512", TUMBLE_SIMD_AVX512}, {NULL, 0}};

#define WORD_VALUE(name, number, word, text) {word, number},
static const word_value splits[] = {TUMBLE_KDOP_SPLIT_LIST(WORD_VALUE){NULL, 0}};
static const word_value places[] = {TUMBLE_KDOP_AT_LIST(WORD_VALUE){NULL, 0}};
static const word_value tumblings[] = {TUMBLE_KDOP_TUMBLE_LIST(WORD_VALUE){NULL, 0}};
static const word_value traversals[] = {TUMBLE_KDOP_TRAVERSAL_LIST(WORD_VALUE){NULL, 0}};
static const word_value loads[] = {TUMBLE_RTREE_LOAD_LIST(WORD_VALUE){NULL, 0}};
static const word_value probes[] = {TUMBLE_RTREE_PROBE_LIST(WORD_VALUE){NULL, 0}};
#undef WORD_VALUE
static const word_value face_counts[] = {{"6", 6}, {"12", 12}, {"14", 14}, {"18", 18}, {"26", 26}, {NULL, 0}};
static const word_value mixtures[] = {
    {"volumes", TUMBLE_KDOP_MIXED_VOLUMES}, {"primitives", TUMBLE_KDOP_MIXED_PRIMITIVES}, {NULL, 0}};
static const word_value switches[] = {{"0", 0}, {"1", 1}, {NULL, 0}};

typedef struct group {
    const char *name, *members, *help;
} group;

static const group groups[] = {
    {"hierarchies", "default,boxtree,kdop,rtree", "the default, the restricted boxtree, the k-DOP tree and the R-tree"},
    {"mixed",
     "default,boxtree,kdop,rtree,wide+flyer=boxtree,wide+flyer=kdop,wide+flyer=rtree,boxtree+flyer=kdop,"
     "boxtree+flyer=rtree,kdop+flyer=rtree",
     "the same, and pairs of models with different hierarchies"},
    {"overlap",
     "boxtree,overlap=axes,overlap=axes+direction=a-into-b,overlap=axes+direction=both,overlap=tables,"
     "overlap=tables+direction=both,overlap=sat",
     "the boxtree's overlap tests, in one direction and in both"},
    {"trees",
     "boxtree,layout=two-planes,axes=longest,criterion=volume,growth=running,planes=parallel,trim=0,trim=0.7,trim=0.9,"
     "trim=1,"
     "layout=two-planes+trim=0,layout=two-planes+trim=0.7,layout=two-planes+trim=1,"
     "criterion=volume+growth=running+planes=parallel+trim=0,"
     "criterion=volume+growth=running+planes=parallel+trim=0+axes=longest",
     "the options of the boxtree's build, one changed at a time, and the paper's own build"},
    {"simd",
     "default,simd=scalar,simd=avx2,simd=avx512,boxtree+simd=scalar,boxtree+simd=avx2,boxtree+simd=avx512,"
     "overlap=axes+simd=scalar,overlap=axes+simd=avx2,overlap=axes+simd=avx512,overlap=sat+simd=scalar,"
     "overlap=sat+simd=avx2,overlap=sat+simd=avx512",
     "instruction sets, for the default and for three overlap tests of the boxtree"},
    {"figure7", "overlap=axes,overlap=tables,overlap=sat,overlap=sat-lite", "the four overlap tests of the paper"},
    {"kdop-k", "kdop,k=6,k=12,k=14,k=26", "k-DOP trees: numbers of faces"},
    {"kdop-tumbling",
     "kdop,tumble=unit,tumble=axes,tumble=lookup,tumble=vertices,hull=1,hull=3,tumble=lookup+hull=1,"
     "k=6+tumble=lookup,k=6+tumble=vertices,k=26+tumble=unit,k=26+tumble=lookup,k=26+tumble=vertices",
     "... ways of tumbling"},
    {"kdop-splits",
     "kdop,split=longest,split=min-sum,split=min-max,split=min-sum+estimate=1,split=min-max+estimate=1,at=median,"
     "split=longest+at=median,at=best,split=min-sum+at=best,all-directions=1,split=longest+all-directions=1",
     "... ways of cutting a set of triangles"},
    {"kdop-leaves", "kdop,leaf=1,leaf=2,leaf=4,leaf=16,leaf=40", "... sizes of leaves"},
    {"kdop-walks",
     "kdop,traversal=environment,traversal=restart,mixed=volumes,traversal=environment+mixed=volumes,"
     "traversal=environment+mixed=volumes+leaf=1",
     "... orders of the walk, what stands for a leaf; the last is the paper's"},
    {"rtree-loads", "rtree,load=str,load=hilbert,load=insert", "R-trees: ways of loading them"},
    {"rtree-walks", "rtree,probe=a,probe=b,whole=1,single=1,single=1+whole=1,single=1+probe=b",
     "... ways of walking them; the last is the paper's"},
    {NULL, NULL, NULL}};

/* ---- One variant ---- */

static int find_word(const word_value *list, const char *word, const char *key)
{
    const word_value *item = list;
    while (item->word && strcmp(item->word, word) != 0) {
        item++;
    }
    if (!item->word) {
        bench_fail("'%s' is not a value of '%s': see --help", word, key);
    }
    return item->value;
}

static double number_value(const char *word, const char *key, double least, double most)
{
    char *end = NULL;
    const double value = strtod(word, &end);
    if (end == word || *end || !(value >= least && value <= most)) {
        bench_fail("%s is a number from %g to %g, not '%s'", key, least, most, word);
    }
    return value;
}

/* What only a boxtree has; returns 0 when it is something else. */
static int set_boxtree_key(bench_variant *variant, const char *key, const char *word)
{
    tumble_boxtree_options *tree = &variant->tuning.boxtree;
    if (strcmp(key, "layout") == 0) {
        tree->layout = (tumble_boxtree_layout)find_word(layouts, word, key);
    } else if (strcmp(key, "axes") == 0) {
        tree->axes = (tumble_boxtree_axes)find_word(axes, word, key);
    } else if (strcmp(key, "criterion") == 0) {
        tree->criterion = (tumble_boxtree_criterion)find_word(criteria, word, key);
    } else if (strcmp(key, "growth") == 0) {
        tree->growth = (tumble_boxtree_growth)find_word(growths, word, key);
    } else if (strcmp(key, "planes") == 0) {
        tree->planes = (tumble_boxtree_planes)find_word(planes, word, key);
    } else if (strcmp(key, "trim") == 0) {
        tree->trim = number_value(word, key, 0, 1);
    } else if (strcmp(key, "overlap") == 0) {
        variant->tuning.boxtree_walk.overlap = (tumble_overlap)find_word(overlaps, word, key);
    } else if (strcmp(key, "direction") == 0) {
        variant->tuning.boxtree_walk.direction = (tumble_direction)find_word(directions, word, key);
    } else if (strcmp(key, "descent") == 0) {
        variant->tuning.boxtree_walk.descent = (tumble_descent)find_word(descents, word, key);
    } else {
        return 0;
    }
    return 1;
}

/* How a k-DOP tree is built. */
static int set_kdop_key(bench_variant *variant, const char *key, const char *word)
{
    tumble_kdop_options *tree = &variant->tuning.kdop;
    if (strcmp(key, "k") == 0) {
        tree->k = (uint32_t)find_word(face_counts, word, key);
    } else if (strcmp(key, "split") == 0) {
        tree->split = (tumble_kdop_split)find_word(splits, word, key);
    } else if (strcmp(key, "at") == 0) {
        tree->at = (tumble_kdop_at)find_word(places, word, key);
    } else if (strcmp(key, "all-directions") == 0) {
        tree->all_directions = find_word(switches, word, key) != 0;
    } else if (strcmp(key, "estimate") == 0) {
        tree->estimate = find_word(switches, word, key) != 0;
    } else if (strcmp(key, "leaf") == 0) {
        tree->leaf = (uint32_t)number_value(word, key, 1, TUMBLE_KDOP_LEAF_MOST);
    } else if (strcmp(key, "flyer-leaf") == 0) {
        variant->flyer_leaf = (uint32_t)number_value(word, key, 1, TUMBLE_KDOP_LEAF_MOST);
    } else if (strcmp(key, "bare-leaves") == 0) {
        tree->bare_leaves = find_word(switches, word, key) != 0;
    } else if (strcmp(key, "hull") == 0) {
        tree->hull = (uint32_t)number_value(word, key, 0, TUMBLE_KDOP_HULL_MOST);
    } else {
        return 0;
    }
    return 1;
}

/* How it is walked. What is tumbled by lookup or vertices has to keep their data. */
static int set_kdop_walk_key(bench_variant *variant, const char *key, const char *word)
{
    tumble_kdop_walk *walk = &variant->tuning.kdop_walk;
    if (strcmp(key, "tumble") == 0) {
        walk->tumble = (tumble_kdop_tumble)find_word(tumblings, word, key);
        const int keeps = walk->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP || walk->tumble == TUMBLE_KDOP_TUMBLE_VERTICES;
        variant->tuning.kdop.tumble = keeps ? walk->tumble : TUMBLE_KDOP_TUMBLE_AUTO;
    } else if (strcmp(key, "traversal") == 0) {
        walk->traversal = (tumble_kdop_traversal)find_word(traversals, word, key);
    } else if (strcmp(key, "mixed") == 0) {
        walk->mixed = (tumble_kdop_mixed)find_word(mixtures, word, key);
    } else if (strcmp(key, "epsilon") == 0) {
        walk->epsilon = number_value(word, key, 0, 1);
    } else {
        return 0;
    }
    return 1;
}

static int set_rtree_key(bench_variant *variant, const char *key, const char *word)
{
    if (strcmp(key, "load") == 0) {
        variant->tuning.rtree.load = (tumble_rtree_load)find_word(loads, word, key);
    } else if (strcmp(key, "node-width") == 0) {
        variant->tuning.rtree.width =
            (uint32_t)number_value(word, key, TUMBLE_RTREE_WIDTH_LEAST, TUMBLE_RTREE_WIDTH_MOST);
    } else if (strcmp(key, "probe") == 0) {
        variant->tuning.rtree_walk.probe = (tumble_rtree_probe)find_word(probes, word, key);
    } else if (strcmp(key, "whole") == 0) {
        variant->tuning.rtree_walk.whole = find_word(switches, word, key) != 0;
    } else if (strcmp(key, "single") == 0) {
        variant->tuning.rtree_walk.single = find_word(switches, word, key) != 0;
    } else {
        return 0;
    }
    return 1;
}

static void set_key(bench_variant *variant, const char *key, const char *word)
{
    if (set_boxtree_key(variant, key, word)) {
        variant->hierarchy = TUMBLE_HIERARCHY_BOXTREE;
    } else if (set_kdop_key(variant, key, word) || set_kdop_walk_key(variant, key, word)) {
        variant->hierarchy = TUMBLE_HIERARCHY_KDOP;
    } else if (set_rtree_key(variant, key, word)) {
        variant->hierarchy = TUMBLE_HIERARCHY_RTREE;
    } else if (strcmp(key, "hierarchy") == 0) {
        variant->hierarchy = (tumble_hierarchy)find_word(hierarchies, word, key);
    } else if (strcmp(key, "flyer") == 0) {
        variant->flyer_hierarchy = (tumble_hierarchy)find_word(hierarchies, word, key);
    } else if (strcmp(key, "simd") == 0) {
        variant->simd = (tumble_simd)find_word(simds, word, key);
    } else {
        bench_fail("variants have no '%s': see --help", key);
    }
}

static int is_hierarchy(const char *word)
{
    const word_value *item = hierarchies;
    while (item->word && strcmp(item->word, word) != 0) {
        item++;
    }
    return item->word != NULL;
}

static void set_words(bench_variant *variant, char *words)
{
    for (char *rest = NULL, *part = strtok_r(words, "+", &rest); part; part = strtok_r(NULL, "+", &rest)) {
        char *equals = strchr(part, '=');
        if (equals) {
            *equals = '\0';
            set_key(variant, part, equals + 1);
        } else if (is_hierarchy(part)) {
            set_key(variant, "hierarchy", part);
        } else {
            bench_fail("'%s' is neither KEY=VALUE nor a hierarchy nor a group of variants: see --help", part);
        }
    }
}

bench_variant bench_variant_parse(const char *word)
{
    bench_variant variant = {.hierarchy = TUMBLE_HIERARCHY_AUTO, .tuning = tumble_default_tuning()};
    char copy[sizeof variant.name];
    if (strlen(word) >= sizeof copy) {
        bench_fail("the variant '%s' is too long", word);
    }
    snprintf(variant.name, sizeof variant.name, "%s", word);
    snprintf(copy, sizeof copy, "%s", word);
    if (strcmp(word, "default") != 0) {
        set_words(&variant, copy);
    }
    variant.environment = variant.flyer = variant.tuning;
    variant.environment.kdop.tumble = TUMBLE_KDOP_TUMBLE_AUTO;
    variant.environment.kdop.hull = false;
    variant.flyer.kdop.leaf = variant.flyer_leaf ? variant.flyer_leaf : variant.tuning.kdop.leaf;
    return variant;
}

static tumble_model_options model_options(const bench_variant *variant, const tumble_tuning *tuning)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = variant->hierarchy;
    options.tuning = tuning;
    return options;
}

tumble_model_options bench_model_options(const bench_variant *variant)
{
    return model_options(variant, &variant->tuning);
}

tumble_model_options bench_environment_options(const bench_variant *variant)
{
    return model_options(variant, &variant->environment);
}

tumble_model_options bench_flyer_options(const bench_variant *variant)
{
    tumble_model_options options = model_options(variant, &variant->flyer);
    options.hierarchy =
        variant->flyer_hierarchy != TUMBLE_HIERARCHY_AUTO ? variant->flyer_hierarchy : options.hierarchy;
    return options;
}

static int same_boxtree(const tumble_boxtree_options *a, const tumble_boxtree_options *b)
{
    return a->layout == b->layout && a->axes == b->axes && a->criterion == b->criterion && a->growth == b->growth &&
           a->planes == b->planes && a->trim == b->trim;
}

static int same_kdop(const tumble_kdop_options *a, const tumble_kdop_options *b)
{
    return a->k == b->k && a->split == b->split && a->at == b->at && a->all_directions == b->all_directions &&
           a->estimate == b->estimate && a->leaf == b->leaf && a->tumble == b->tumble && a->hull == b->hull &&
           a->bare_leaves == b->bare_leaves;
}

int bench_same_options(const tumble_model_options *one, const tumble_model_options *other)
{
    const tumble_tuning *a = one->tuning, *b = other->tuning;
    return one->hierarchy == other->hierarchy && same_boxtree(&a->boxtree, &b->boxtree) &&
           same_kdop(&a->kdop, &b->kdop) && a->rtree.load == b->rtree.load && a->rtree.width == b->rtree.width;
}

tumble_collide_options bench_variant_options(const bench_variant *variant)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.tuning = &variant->tuning;
    return options;
}

const char *bench_simd_name(tumble_simd simd)
{
    for (const word_value *item = simds; item->word; item++) {
        if (item->value == (int)simd) {
            return item->word;
        }
    }
    return "auto";
}

/* ---- Lists of them ---- */

static int is_supported(tumble_simd simd)
{
    tumble_context_options options = tumble_default_context_options();
    tumble_context *context = NULL;
    options.simd = simd;
    bench_require(tumble_context_create(&options, &context), NULL, "a context");
    const int supported = simd == TUMBLE_SIMD_AUTO || tumble_context_simd(context) == simd;
    tumble_context_destroy(context);
    return supported;
}

static void add_variant(bench_variants *list, const char *word)
{
    const bench_variant variant = bench_variant_parse(word);
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, word) == 0) {
            return;
        }
    }
    if (!is_supported(variant.simd)) {
        fprintf(stderr, "tumble_bench: this processor does not have what '%s' needs; left out\n", word);
        return;
    }
    bench_variant *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items) {
        bench_fail("no memory for %zu variants", list->count + 1);
    }
    list->items = items;
    list->items[list->count++] = variant;
}

static void add_words(bench_variants *list, const char *text);

static void add_word(bench_variants *list, const char *word)
{
    for (const group *item = groups; item->name; item++) {
        if (strcmp(item->name, word) == 0) {
            add_words(list, item->members);
            return;
        }
    }
    add_variant(list, word);
}

static void add_words(bench_variants *list, const char *text)
{
    char *copy = bench_allocate(strlen(text) + 1, 1);
    memcpy(copy, text, strlen(text) + 1);
    for (char *rest = NULL, *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        add_word(list, word);
    }
    free(copy);
}

bench_variants bench_variants_parse(const char *text)
{
    bench_variants list = {NULL, 0};
    add_words(&list, text);
    if (list.count == 0) {
        bench_fail("there is no variant in '%s'", text);
    }
    return list;
}

void bench_variants_free(bench_variants *variants)
{
    free(variants->items);
    variants->items = NULL;
    variants->count = 0;
}

static void print_key(FILE *file, const char *key, const word_value *list)
{
    fprintf(file, "    %-14s", key);
    for (; list->word; list++) {
        fprintf(file, " %s", list->word);
    }
    fputc('\n', file);
}

static void print_numbers(FILE *file, const char *key, double least, double most)
{
    fprintf(file, "    %-14s %g to %g\n", key, least, most);
}

void bench_variants_help(FILE *file)
{
    fputs("A variant is `default`, a hierarchy or KEY=VALUE, several joined by +. Keys and values:\n", file);
    print_key(file, "hierarchy", hierarchies);
    print_key(file, "flyer", hierarchies);
    print_key(file, "simd", simds);
    fputs("  of the boxtree, which these imply:\n", file);
    print_key(file, "layout", layouts);
    print_key(file, "axes", axes);
    print_key(file, "criterion", criteria);
    print_key(file, "growth", growths);
    print_key(file, "planes", planes);
    print_numbers(file, "trim", 0, 1);
    print_key(file, "overlap", overlaps);
    print_key(file, "direction", directions);
    print_key(file, "descent", descents);
    fputs("  of k-DOP trees, which these imply:\n", file);
    print_key(file, "k", face_counts);
    print_key(file, "split", splits);
    print_key(file, "at", places);
    print_key(file, "all-directions", switches);
    print_key(file, "estimate", switches);
    print_numbers(file, "leaf", 1, TUMBLE_KDOP_LEAF_MOST);
    print_numbers(file, "flyer-leaf", 1, TUMBLE_KDOP_LEAF_MOST);
    print_key(file, "bare-leaves", switches);
    print_key(file, "tumble", tumblings);
    print_numbers(file, "hull", 0, TUMBLE_KDOP_HULL_MOST);
    print_key(file, "traversal", traversals);
    print_key(file, "mixed", mixtures);
    print_numbers(file, "epsilon", 0, 1);
    fputs("  of R-trees, which these imply:\n", file);
    print_key(file, "load", loads);
    print_numbers(file, "node-width", TUMBLE_RTREE_WIDTH_LEAST, TUMBLE_RTREE_WIDTH_MOST);
    print_key(file, "probe", probes);
    print_key(file, "whole", switches);
    print_key(file, "single", switches);
    fputs("Groups of variants:\n", file);
    for (const group *item = groups; item->name; item++) {
        fprintf(file, "    %-14s %s\n", item->name, item->help);
    }
}
