/* Options that people try, from other programs and languages: each is answered with the option that does what is meant,
 * or with what linpred does not have. */
#include <string.h>

#include "cli.h"

static const struct {
    const char *words; /* separated by blanks */
    const char *flag;  /* the option that does it; NULL: there is none */
    const char *says;  /* more about it; after "; " if there is a flag */
} others[] = {
    {"save model out outfile out-file output-file model-file save-model", "output", "-o FILE is short for it"},
    {"l2-penalty reg regularization regularisation ridge weight-decay lambda", "l2",
     "it adds (l2/2)||w||² to the mean loss"},
    {"c", "l2", "it adds (l2/2)||w||² to the mean loss, so C of scikit-learn is 1/(l2 times rows)"},
    {"alpha", "l2", "it adds (l2/2)||w||² to the mean loss, so alpha of scikit-learn's Ridge is l2 times rows / 2"},
    {"penalty", "l2", "there is no other penalty"},
    {"l1 lasso l1-ratio elastic-net", NULL, "linpred has no L1 penalty"},
    {"label y response outcome dependent-variable class class-column label-column target-column", "target",
     "-t COLUMN is short for it"},
    {"delimiter delim sep fs field-separator", "separator", ""},
    {"no-header noheader", "header", "--header no"},
    {"has-header names col-names", "header", "--header yes"},
    {"ignore exclude omit remove without", "drop", ""},
    {"include columns cols select predictors covariates usecols feature", "features", ""},
    {"weight sample-weight sample-weights row-weights", "weights", ""},
    {"na-values nan null na-strings missing-values", "na", "--missing says what to do about them"},
    {"dropna na-action impute imputation", "missing", ""},
    {"intercept fit-intercept constant noconstant no-constant nocons bias no-bias", "no-intercept",
     "without it there is an intercept"},
    {"epochs max-iter max-iterations iterations n-iter iter niter maxit", "max-passes", ""},
    {"timeout time-limit max-time", "max-seconds", ""},
    {"learning-rate eta lr step step-size", "rate", ""},
    {"jobs n-jobs cores nthreads num-threads workers parallel", "threads", ""},
    {"random-state random-seed rng", "seed", ""},
    {"solver algorithm optimizer", "method", ""},
    {"tol eps gap", "tolerance", ""},
    {"class-weight", "class-weights", ""},
    {"pos-label positive-class positive-label", "positive", ""},
    {"proba probability probabilities predict-proba prob", "what", "--what probability"},
    {"cutoff cut", "threshold", ""},
    {"conf-level confidence-level ci", "confidence", ""},
    {"prediction-interval pi", "interval", ""},
    {"id ids passthrough copy", "keep", ""},
    {"normalize normalise scale standardise standardized", "standardize", ""},
    {"polynomial poly power powers deg", "degree", ""},
    {"tau", "quantile", "with --loss absolute"},
    {"type filetype file-type input-format", "format", ""},
    {"dec decimal-mark decimal-separator", "decimal", ""},
    {"skiprows skip-rows skip-lines", "skip", ""},
    {"comment-char", "comment", ""},
    {"categorical factor as-text as-factor", "text", ""},
    {"parse-dates dates", "date", ""},
    {"sql", "query", ""},
    {"singular-ok aliased collinear", "dependent", "--dependent drop does as R"},
    {"noverify skip-verify unchecked", "no-verify", ""},
    {"force", "accept-edited", ""},
    {"silent q", "quiet", ""},
    /* Where the command has no such option. */
    {"l2 l2-penalty reg regularization regularisation ridge weight-decay lambda c alpha penalty", NULL,
     "a penalty is for linpred fit logistic and linpred fit regression, --l2"},
    {"max-passes epochs max-iter max-iterations iterations n-iter iter niter maxit", NULL,
     "a fit goes on until its answer is proved; --max-seconds ends it earlier"},
    {"rate learning-rate eta lr step step-size", NULL, "there is no step to choose"},
    {"seed random-state random-seed rng", NULL, "nothing is random here"},
    {"what proba probability probabilities predict-proba prob", NULL,
     "probabilities are linpred predict MODEL DATA --what probability, of a logistic model"},
    {"encoding charset", NULL, "UTF-8 and UTF-16 are told apart by looking; convert other files by iconv"},
    {"thousands", NULL, "separators of thousands are found by looking; --decimal says which mark is which"},
    {"sheet sheet-name", NULL, "linpred reads no spreadsheets; save the sheet as CSV"},
    {"cv folds k-fold kfold test-size split validation holdout", NULL,
     "linpred does not split data; fit one file, and linpred evaluate MODEL on another"},
    {"verbose debug", NULL, "progress is shown on a terminal, and --json tells all there is"},
    {"formula", NULL, "name the target with -t, and columns with --features"},
    {"data file input train train-file infile", NULL, "the file is an argument without an option"},
    {"kernel gamma", NULL, "linpred has no kernels"},
};

/* Whether the command takes a model, and the word is an option of fits. */
static bool is_kept_in_model(const char *word, const cli_command *command)
{
    linpred_option_text option = {.struct_size = sizeof option};
    bool found = false;
    for (size_t i = 0; !found && strncmp(command->arguments, "MODEL", 5) == 0; i++) {
        if (!linpred_options_describe(i, &option))
            break;
        found = strcmp(option.name, word) == 0 && (strstr(option.scopes, "encode") || strstr(option.scopes, "labels"));
    }
    return found;
}

bool cli_other_flag(const char *word, const cli_command *command, char *answer, size_t bytes)
{
    if (is_kept_in_model(word, command)) {
        snprintf(answer, bytes, "the model remembers what it was fitted with; fit again to change it");
        return true;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cli_flag flag;
        if (!cli_is_among(others[i].words, word) || (others[i].flag && !cli_find_flag(command, others[i].flag, &flag)))
            continue;
        if (others[i].flag)
            snprintf(answer, bytes, "say --%s%s%s%s", others[i].flag, *flag.takes ? " " : "", flag.takes,
                     *others[i].says ? "; " : "");
        else
            snprintf(answer, bytes, "%s", "");
        snprintf(answer + strlen(answer), bytes - strlen(answer), "%s", others[i].says);
        return true;
    }
    return false;
}
