/* Words that people try after `linpred fit`, or in its place, and that are no command: each is answered with the
 * command that does what is meant, or with what linpred does not have. */
#include <strings.h>

#include "cli.h"

static const struct {
    const char *words;  /* separated by blanks */
    const char *answer; /* follows "there is no command 'WORD': " */
} others[] = {
    {"perceptron", "the perceptron is linpred fit halfspace DATA --method perceptron"},
    {"pocket", "the pocket algorithm is linpred fit halfspace DATA --method pocket"},
    {"margin max-margin", "the largest margin is linpred fit halfspace DATA --method margin"},
    {"svm svc linear-svm",
     "the hard margin is linpred fit halfspace DATA --method margin; linpred has no soft margin and no kernels"},
    {"svr", "linpred has no support vector regression; linpred fit regression DATA --loss absolute resists outliers"},
    {"exact zero-one 0-1", "the fewest mistakes are linpred fit halfspace DATA --method exact"},
    {"lp", "the linear program is linpred separable DATA, or linpred fit halfspace DATA --method lp"},
    {"classifier classification classify linear-classifier",
     "say linpred fit halfspace DATA, or linpred fit logistic DATA for probabilities"},
    {"logit logreg logistic-regression", "say linpred fit logistic DATA"},
    {"probit cloglog", "linpred has the logistic model only: linpred fit logistic DATA"},
    {"glm", "say linpred fit logistic DATA (binomial), or linpred fit regression DATA (Gaussian); linpred has no other "
            "families"},
    {"poisson gamma negative-binomial cox survival",
     "linpred has no such model; it has linpred fit regression DATA and linpred fit logistic DATA"},
    {"multinomial softmax ordinal", "linpred has no models of more than two labels"},
    {"ols lm linear linear-regression least-squares lstsq", "least squares are linpred fit regression DATA"},
    {"ridge", "ridge regression is linpred fit regression DATA --l2 LAMBDA; linpred fit logistic takes --l2 too"},
    {"lasso elasticnet elastic-net l1",
     "linpred has no L1 penalty; linpred fit regression DATA --l2 LAMBDA is ridge regression"},
    {"lad median l1-regression absolute", "least absolute deviations are linpred fit regression DATA --loss absolute"},
    {"quantile rq quantile-regression", "a quantile is linpred fit regression DATA --loss absolute --quantile 0.9"},
    {"huber robust ransac", "linpred has no such loss; linpred fit regression DATA --loss absolute resists outliers"},
    {"poly polynomial polyfit", "powers of a column are linpred fit regression DATA --degree 3 --on COLUMN"},
    {"circle sphere", "say linpred fit ball DATA"},
    {"pca svd ica tsne umap", "linpred has no reduction of dimension"},
    {"kmeans k-means dbscan gmm cluster clustering", "linpred has no clustering"},
    {"tree decision-tree cart forest random-forest rf boost boosting gbm xgboost lightgbm",
     "linpred has no trees; it learns linear predictors"},
    {"naive-bayes naivebayes nb lda qda",
     "linpred has no such classifier; linpred fit logistic DATA gives probabilities"},
    {"knn k-nn nearest-neighbours nearest-neighbors", "linpred has no nearest neighbours; it learns linear predictors"},
    {"nn mlp neural neural-network keras", "linpred has no neural networks; it learns linear predictors"},
    {"sgd adaline", "linpred minimises to a proof: linpred fit logistic DATA, or linpred fit regression DATA"},
    {"train learn", "say linpred fit halfspace, regression, logistic or ball"},
    {"test score", "say linpred evaluate MODEL DATA"},
    {"apply", "say linpred predict MODEL DATA"},
    {"check prove", "say linpred verify MODEL DATA"},
    {"describe summary head info show print cat view dump look", "say linpred inspect FILE"},
    {"draw graph chart figure picture", "say linpred plot MODEL DATA"},
    {"html page explain", "say linpred report MODEL DATA"},
    {"convert transform scale normalize impute split sample join merge filter sort",
     "linpred does not change data files; it fits, predicts, evaluates and verifies"},
    {"cv cross-validate crossval", "linpred does not split data; fit one file, and linpred evaluate MODEL on another"},
};

/* Whether `word` is one of `words`, whatever its capitals, and with '_' for '-'. */
bool cli_is_among(const char *words, const char *word)
{
    while (*words) {
        size_t i = 0;
        while (word[i] && words[i] && words[i] != ' ' &&
               strncasecmp(word[i] == '_' ? "-" : word + i, words + i, 1) == 0)
            i++;
        if (word[i] == '\0' && (words[i] == '\0' || words[i] == ' '))
            return true;
        while (*words && *words != ' ')
            words++;
        words += *words == ' ';
    }
    return false;
}

const char *cli_other_word(const char *word)
{
    for (size_t i = 0; *word && i < sizeof others / sizeof others[0]; i++)
        if (cli_is_among(others[i].words, word))
            return others[i].answer;
    return NULL;
}
