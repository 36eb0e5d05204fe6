separable >d.csv
run linpred fit halfspace d.csv -o missing/model.json
run linpred fit halfspace d.csv -o d.csv/model.json
run linpred fit halfspace d.csv -o .
run linpred fit halfspace d.csv -o ''
echo before >model.json
chmod 640 model.json
run linpred fit halfspace d.csv -o model.json
run stat -c '%A' model.json
run_line 'linpred inspect model.json --json | json_check outcome'
# What fails leaves the file that was there.
cp model.json kept.json
run linpred fit halfspace d.csv -t nothing -o model.json
same kept.json model.json "model.json after an error"
# An answer of no is written all the same.
xor >xor.csv
run linpred fit halfspace xor.csv --method perceptron --max-passes 3 -o no.json --quiet
run_line 'linpred inspect no.json --json | json_check outcome errors'
# The data is not written over.
run linpred fit halfspace d.csv -o d.csv
run linpred fit halfspace d.csv --method perceptron -o model.json --trace model.json
run linpred fit halfspace d.csv -o ./d.csv
run linpred fit halfspace d.csv --method perceptron --trace ./d.csv
run linpred predict model.json d.csv -o d.csv
run linpred predict model.json d.csv -o model.json
cp model.json again.json
run_line 'linpred fit halfspace d.csv --method perceptron --start again.json -o again.json | tail -1'
run ls -A
# What cannot be said in a model is the input's fault, not the machine's.
printf '%s\n' x,y 1e-300,1e300 2e-300,2e300 3e-300,3e300 >steep.csv
run linpred fit regression steep.csv --loss absolute -o steep.json
run_line 'test ! -e steep.json'
# With --json standard output holds one object: no file is to be mixed with it.
run_line 'linpred fit halfspace d.csv --json -o /dev/stdout | json_check error'
run_line 'linpred fit halfspace d.csv --json -o /proc/self/fd/1 >mixed.json; json_check error <mixed.json'
run_line 'linpred predict model.json d.csv --json -o mixed.json >mixed.json; json_check error <mixed.json'
run_line 'linpred fit halfspace d.csv --method perceptron --json --trace /dev/stdout | json_check error'
run_line 'linpred generate xor --json -o /dev/stdout | json_check error'
run_line 'linpred generate xor --json -o xor.csv --truth /dev/stdout | json_check error'
run_line 'linpred generate xor --json -o /dev/null >/dev/null'
