run linpred --help
run linpred --version
run linpred
run linpred fit --help
run linpred fit halfspace --help
run linpred separable --help
run linpred verify -h
run linpred predict --help
run linpred evaluate --help
run linpred inspect --help
run linpred shatter --help
run linpred bounds --help
run linpred fit
run linpred fit halfspce
