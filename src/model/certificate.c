/* Certificates: room for their witnesses, and what can be asked of them. */
#include "core/memory.h"
#include "model/model.h"

static void release_texts(char **text, int64_t count)
{
    for (int64_t i = 0; text && i < count; i++)
        linpred__release(text[i]);
    linpred__release(text);
}

void linpred__certificate_clear(linpred__certificate *certificate)
{
    linpred__release(certificate->witness_row);
    release_texts(certificate->witness_weight, certificate->witnesses);
    linpred__release(certificate->support_row);
    linpred__release(certificate->multiplier);
    linpred__release(certificate->tail);
    release_texts(certificate->direction, certificate->directions);
    linpred__cover_proof_clear(&certificate->search);
    *certificate = (linpred__certificate){0};
}
