# Logistic regression where it is hard: extreme numbers, one class, constants, dependent columns, rows of weight 0; and the laws of every fit.
# Says whether some command prints a NaN or an infinity: finite COMMAND…
finite() {
  "$@" >printed.txt 2>&1
  if grep -qiE '\b-?(nan|inf)\b' printed.txt; then echo "$(shown "$@"): NOT FINITE"; cat printed.txt; else echo "$(shown "$@"): finite"; fi
}
printf '%s\n' x,y 1e300,1 -1e300,0 5e299,0 -5e299,1 2e299,1 1e299,0 >huge.csv
for l2 in 0 0.1; do
  json_of "outcome errors verdict" linpred fit logistic huge.csv --l2 $l2 -o huge.json
  finite linpred fit logistic huge.csv --l2 $l2
done
# A penalty holds the coefficient of a tiny column at nothing: the value is that of a fit without it. A huge one is hardly held: there is a
# minimum, whether or not its distance is proved. Without a penalty no double holds what the least numbers ask for.
printf '%s\n' a,b,y 1,2,1 -1,1,0 3,-2,1 -2,-1,0 1,-1,0 -1,-2,1 2,3,1 >mild.csv
cut -d, -f1,3 mild.csv >alone.csv
run_line "linpred fit logistic alone.csv --l2 0.1 | grep ^objective | cut -d= -f1"
for unit in e-170 e-300 e200; do
  sed -E "s/,(-?[0-9]),/,\1$unit,/" mild.csv >unit.csv
  for method in newton newton-cg; do
    run_line "linpred fit logistic unit.csv --l2 0.1 --tolerance 1e-12 --method $method | grep -E '^outcome|^objective|verified|^  [A-Z]' | sed -E 's/ = (weighted )?mean.*//; s/gap [a-z ]*[0-9][^ ,]*/gap …/g'"
    finite linpred fit logistic unit.csv --l2 0.1 --method $method
    finite linpred fit logistic unit.csv --l2 1e300 --method $method
    finite linpred fit logistic unit.csv --l2 1e-300 --method $method
  done
done
sed -E "s/,(-?[0-9]),/,\1e-315,/" mild.csv >unit.csv
run_line "linpred fit logistic unit.csv 2>&1 | grep -v such"
# Scores of ±1e300, and beyond the range: forged weights.
for weight in 1 1e20; do
  sed -E 's/"weight": [^}]*/"weight": '$weight/ huge.json >forged.json
  run linpred verify forged.json huge.csv --accept-edited
  json_of "verdict" linpred verify forged.json huge.csv --accept-edited
  run linpred predict forged.json huge.csv --what probability --accept-edited
  for command in predict evaluate inspect; do
    data=huge.csv
    if [ $command = inspect ]; then data=; fi
    finite linpred $command forged.json $data --accept-edited
    json_of rows linpred $command forged.json $data --accept-edited
  done
  finite linpred predict forged.json huge.csv --what score --accept-edited
done

# One class: no fit, also with a penalty.
printf '%s\n' x,y 1,a 2,a >one.csv
run linpred fit logistic one.csv
run linpred fit logistic one.csv --l2 1
# Only constants: the rate of the label, in the smallest coefficients that give it.
printf '%s\n' c,zero,y 0.1,0,a 0.1,0,a 0.1,0,b >constant.csv
run_line 'linpred fit logistic constant.csv -o constant.json | grep -E "every row|  c |zero|\(intercept|unique|verified|^  [A-Z]" | sed -E "s/norm to [^;]*/norm to …/"'
run_line 'linpred inspect constant.json | grep -E "every row"'
run_line 'linpred fit logistic constant.csv --l2 0.5 | grep -E "zero|\(intercept|verified|^  [A-Z]"'

# Columns in units of 1e-12 and 1e12: the same z and p.
printf '%s\n' age,smoker,ill 31,no,0 45,yes,1 52,no,0 38,yes,0 61,yes,1 29,no,0 57,no,1 48,yes,0 66,no,1 35,yes,1 50,no,0 43,no,1 >d.csv
sed -E 's/^([0-9]+)/\1e-12/' d.csv >small.csv
sed -E 's/^([0-9]+)/\1e12/' d.csv >large.csv
for unit in d small large; do
  run_line "linpred fit logistic $unit.csv | grep -E 'objective|  age|smoker|intercept|verified|^  [A-Z]' | grep -v column | sed -E 's/, at most.*|; a minimum.*included//; s/\\[.*//'"
done

# The null deviance keeps its digits if one class weighs far more than the other: it is 126.57837510257212…
printf '%s\n' x,weight,y 1,0.25,a 2,1e10,b 3,2.5,a 0,2.5,b >rare.csv
json_of "null_deviance verdict" linpred fit logistic rare.csv --weights weight

# Dependencies: exact ones are proved, also among decimals; those to rounding are told apart; and near ones are none.
printf '%s\n' a,b,sum,y .1,.2,.3,1 1,2,3,0 3,1,4,1 2,7,9,0 1,1,2,1 4,.7,4.7,0 .3,.6,.9,0 2,1,3,1 1,5,6,1 2,2,4,0 1.1,2.2,3.3,1 >decimals.csv
run_line 'linpred fit logistic decimals.csv | grep -E "outcome|dependent|verified|^  [A-Z]" | sed -E "s/at most [^:;]*/at most …/; s/gap of [^ ]*/gap of …/; s/norm to [^;]*/norm to …/"'
doubles <decimals.csv >doubles.csv
run_line 'linpred fit logistic doubles.csv | grep -E "outcome|dependent|verified|^  [A-Z]" | sed -E "s/at most [^:;]*/at most …/; s/gap of [^ ]*/gap of …/; s/norm to [^;]*/norm to …/"'
printf '%s\n' a,near,y 1,1.00000001,1 2,1.99999999,0 3,3.00000001,1 4,3.99999999,0 5,5.00000001,1 2,2.00000001,1 >near.csv
json_of "outcome separation verdict" linpred fit logistic near.csv
# Taken away or changed, they are missed.
for edit in 's/"vector": \[10, 0, /"vector": [10.001, 0, /' 's/"exact": true/"exact": false/' 's/"rank": 1/"rank": 2/' 's/"unique": 0/"unique": 1/' \
  's/"zero", "weight": 0}/"zero", "weight": 1}/' 's/"deviance": [^,]*/"deviance": null/' 's/"confidence": 0.95/"confidence": 0.9/'; do
  sed "$edit" constant.json >edited.json
  run linpred verify edited.json constant.csv --accept-edited
done

# The means that stand for missing values are those of the columns, whether a value is missing or not.
linpred fit logistic d.csv --missing mean -o mean.json >out.txt
sed -E '2s/^31/ /' d.csv >missing.csv
linpred fit logistic missing.csv --missing mean -o missing.json >out.txt
for name in mean missing; do
  data=d.csv
  if [ $name = missing ]; then data=missing.csv; fi
  run_line "linpred verify $name.json $data | grep -o 'PROVED'"
  sed -E 's/"mean": [0-9.]+/"mean": 40/' $name.json >edited.json
  run_line "linpred verify edited.json $data --accept-edited | grep verified | cut -c1-200"
done

# A row of weight 0 is no row.
awk -F, 'NR == 1 { print $0 ",n"; next } { print $0 "," 1 + NR % 3; if (NR % 4 == 0) print "999,no,1,0" }' d.csv >weighted.csv
grep -v ',0$' weighted.csv >without.csv
for data in weighted without; do
  linpred fit logistic $data.csv -t ill --weights n -o $data.json >out.txt
  timeless $data.json >$data.txt
done
same weighted.txt without.txt "rows of weight 0 left out"

# The number of threads changes no bit, of the fit or of the verifier; sparse rows give the answer of dense ones.
awk 'BEGIN {
  print "x1,x2,x3,x4,y"
  for (i = 1; i <= 30000; i++) {
    a = (i * 7919) % 1009 / 97; b = (i * 104729) % 997 / 89; c = (i * 31) % 3; d = (i * 1301) % 211 / 7
    print a "," b "," c "," d "," (a + 2 * b - 3 * c - d / 3 > 6 + ((i * 17) % 101) / 9)
  }
}' >many.csv
awk -F, 'NR > 1 { line = $5; for (j = 1; j < 5; j++) if ($j != 0) line = line " " j ":" $j; print line }' many.csv >many.svm
for l2 in 0 0.001; do
  for threads in 1 2 4; do
    linpred fit logistic many.csv --l2 $l2 --threads $threads -o $threads.json >$threads.out
    linpred verify 1.json many.csv --threads $threads >$threads.verified
    timeless $threads.json >$threads.txt
  done
  for threads in 2 4; do
    same 1.txt $threads.txt "l2 $l2, the model with $threads threads"
    same 1.verified $threads.verified "l2 $l2, the verdict with $threads threads"
  done
  for data in many.csv many.svm; do
    linpred fit logistic $data --l2 $l2 | grep -E '^  (x|\(int)|deviance' >$data.txt
  done
  same many.csv.txt many.svm.txt "l2 $l2, sparse rows"
done

# Without a minimum only the direction's signs are counted, each row once, and nothing is said of coefficients that are not shown.
(echo g,y; for i in 1 2 3 4 5 6; do printf '%s\n' a,1 a,0 b,1 b,0 c,1; done) >levels.csv
run_line 'linpred fit logistic levels.csv | grep -A2 verified'
json_of "outcome errors_found worst_row settled_exactly" linpred fit logistic levels.csv
