/* What the papers print. */
#include "papers_numbers.h"

const paper_costs paper_table_1[PAPER_DOPS] = {
    {6, 0.0008, 0.0045}, {14, 0.0016, 0.0174}, {18, 0.0020, 0.0235}, {26, 0.0028, 0.0509}};
const double paper_triangle_test = 0.0035;

const double paper_contacts[PAPER_SCENES] = {2657, 1472, 7906, 0, 84931};
const double paper_table_2[PAPER_DOPS][PAPER_SCENES] = {{0.487, 0.294, 1.639, 0.582, 4.375},
                                                        {0.392, 0.191, 0.760, 0.153, 2.701},
                                                        {0.366, 0.184, 0.356, 0.109, 2.754},
                                                        {0.525, 0.210, 0.415, 0.076, 2.639}};
const double paper_table_2_rapid[PAPER_SCENES] = {0.934, 0.242, 0.494, 0.556, 4.375};

const double paper_table_3[PAPER_RULES][PAPER_SCENES] = {{3.61, 1.61, 1.69, 0.31, 5.78},
                                                         {26.75, 19.12, 20.98, 7.17, 31.03},
                                                         {28.03, 19.16, 20.87, 7.19, 31.13},
                                                         {3.63, 1.62, 1.71, 0.32, 5.71}};
const double paper_table_3_rapid[PAPER_SCENES] = {1.05, 0.69, 0.71, 0.26, 1.31};
const double paper_table_4[PAPER_RULES][PAPER_SCENES] = {{0.384, 0.192, 0.366, 0.111, 3.036},
                                                         {0.356, 0.185, 0.330, 0.108, 2.667},
                                                         {0.391, 0.191, 0.439, 0.111, 2.783},
                                                         {0.366, 0.184, 0.356, 0.109, 2.754}};
const double paper_table_5[PAPER_RULES][PAPER_SCENES] = {{0.476, 0.193, 0.412, 0.116, 3.164},
                                                         {0.450, 0.192, 0.359, 0.111, 2.822},
                                                         {0.530, 0.196, 0.450, 0.114, 3.080},
                                                         {0.481, 0.194, 0.396, 0.113, 2.774}};

const double paper_alphas[PAPER_ALPHAS] = {0.55, 0.1, 0.055, 0.01, 0.0055, 0.001, 0.00055, 0.0001};
const double paper_table_6[PAPER_DOPS][PAPER_ALPHAS] = {{388, 49494, 76506, 109086, 113200, 116340, 116710, 116948},
                                                        {32, 16888, 41782, 85656, 90896, 95150, 95564, 96056},
                                                        {46, 11236, 34744, 79968, 86036, 91482, 92124, 92684},
                                                        {22, 4652, 23774, 74052, 81160, 87622, 88322, 88968}};
const double paper_table_6_rapid[PAPER_ALPHAS] = {121, 3333, 7479, 41645, 60327, 91983, 95717, 100047};
const double paper_table_7[PAPER_DOPS][PAPER_ALPHAS] = {
    {278, 289126, 494278, 1129398, 1223900, 1320158, 1329154, 1337116},
    {14, 85012, 239884, 831528, 960952, 1102260, 1115030, 1127908},
    {46, 55390, 194414, 762668, 903056, 1063346, 1079676, 1095868},
    {14, 12218, 119556, 675152, 831104, 1019272, 1038126, 1058072}};
const double paper_table_7_rapid[PAPER_ALPHAS] = {117, 2441, 5495, 43589, 87071, 428027, 609843, 932561};

const double paper_rapid_bytes = 412;

const double paper_plant_times[2][PAPER_KINDS] = {{0.09, 0.94, 1.26}, {0.28, 1.75, 2.06}};
const double paper_plant_tests[2][2] = {{1263, 21836}, {2915, 30663}};
const double paper_plant_updates[2][2] = {{102, 537}, {713, 3279}};
const paper_toolkit paper_plant_toolkits[PAPER_TOOLKITS] = {{"PQP", 0.40, 4.96},
                                                            {"RAPID", 0.12, 3.62},
                                                            {"Dop Tree", 0.04, 17.29},
                                                            {"OPCODE", 1.52, 2.09},
                                                            {"S-CD", 0.09, 1.26}};
