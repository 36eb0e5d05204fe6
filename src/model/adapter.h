/* Between certificates and claims, until every learner and the checker speak of claims alone. */
#ifndef LINPRED_MODEL_ADAPTER_H
#define LINPRED_MODEL_ADAPTER_H

#include "model/model.h"

/* The claims of a result from its certificate, model and figures. */
linpred_status linpred__claims_of_certificate(linpred_result *result, linpred_error *error);
/* The certificate of a result from its claims and figures. */
linpred_status linpred__certificate_of_claims(linpred_result *result, linpred_error *error);

#endif
