# What never ends is not read for ever: a stream at its time limit, a line at its longest, a device at its first NUL.
run_line 'yes 1,2 | linpred fit regression - --max-seconds 0.2'
run_line '{ echo 1,2; sleep 0.4; } | linpred fit regression - --max-seconds 0.1'
run_line 'head -c 300000000 /dev/zero | tr "\0" 1 | linpred inspect -'
run linpred inspect /dev/zero
run linpred fit halfspace /dev/zero --format libsvm
run linpred fit halfspace /dev/zero --format npy
# A file ends by itself, whatever the limit of the fit.
for i in $(seq 20000); do echo "$i,$((i * 2))"; done >file.csv
json_of "outcome reason rows" linpred fit regression file.csv --max-seconds 0
