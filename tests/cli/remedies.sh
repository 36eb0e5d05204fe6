# What to do about it: dependent columns, files in the wrong place, words that are nearly right.
printf '%s\n' a,b,c,y 1,2,3,1 2,1,3,4 3,5,8,2 4,1,5,6 5,2,7,1 6,6,12,3 >sum.csv
run_line "linpred fit regression sum.csv -o sum.json | sed -n '/^dependent/,/^verified/p' | grep -v verified"
run_line "linpred fit regression sum.csv --drop c | grep -c 'cannot be estimated'"
run_line "linpred inspect sum.json | grep -- --drop"
awk -F, 'NR == 1 {print "a,b,c,d,y"; next} {print $1 "," $2 "," $3 "," 2*$1 "," $4}' sum.csv >two.csv
run_line "linpred fit regression two.csv | grep -- --drop"
# An indicator stands for its column.
printf '%s\n' k,z,y p,1,2 q,0,3 p,1,5 q,0,1 p,1,0 >levels.csv
run_line "linpred fit regression levels.csv | grep -B2 -- --drop"
printf '%s\n' z,k,y 1,p,2 0,q,3 1,p,5 0,q,1 1,p,0 >levels.csv
run_line "linpred fit regression levels.csv | grep -B2 -- --drop"
# A power that is no other column than its base.
printf '%s\n' x,y 0,2 1,3 0,5 1,1 0,0 >bits.csv
run_line "linpred fit regression bits.csv --degree 2 | grep -A2 ^dependent"
# All depend: the sentence says why the table is short.
printf '%s\n' x,y 1,2 1,3 1,7 >constant.csv
run_line "linpred fit regression constant.csv | sed -n '/^dependent/,/^verified/p' | grep -v verified"
printf '%s\n' x,y 1,a 1,b 1,b >constant.csv
run_line "linpred fit logistic constant.csv -o constant.json | sed -n '/^dependent/,/^verified/p' | grep -v verified"
run_line "linpred inspect constant.json | tail -n 1"
# A p that underflows.
awk 'BEGIN {print "x,y"; for (i = 0; i < 400; i++) print i "," 3 * i + (i * 7 % 5) * 1e-3}' >steep.csv
run_line "linpred fit regression steep.csv | grep -E '^  x|^F'"
json_of "p.x" linpred fit regression steep.csv
# Files: without names, and a model where data belongs.
printf '%s\n' 1,2,3 2,2,4 >nameless.csv
run linpred predict sum.json nameless.csv
run linpred fit regression sum.json
run linpred verify sum.csv sum.json
json_of "error" linpred inspect nowhere.csv
# Words.
run linpred fit
run linpred fit logit sum.csv
run linpred fit logistik sum.csv
run linpred fit cube sum.csv
