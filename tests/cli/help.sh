run linpred --help
run linpred --version
run linpred version
run_line 'linpred help fit halfspace | head -3'
run_line 'linpred help fit | grep usage'
run linpred help nonsense
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
# The same for programs.
run linpred verify --help --json
run linpred --version --json
run_line 'linpred --help --json | json_check commands | grep -o "\"command\": \"[a-z ]*\""'
run_line 'linpred fit --help --json | json_check commands | grep -o "\"flag\": \"[a-z]*\", \"takes\": \"[A-Z]*\", \"default\": \"1\", \"help\": \"[^\"]*\", \"for\": \"[^\"]*\""'
