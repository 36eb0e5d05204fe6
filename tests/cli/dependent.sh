# Columns that depend on each other: the least norm without the intercept, and rows that break a dependency.
# A constant column has the coefficient 0, so its value in a new row changes nothing, and that is told.
printf '%s\n' site,age,cost 3,20,110 3,30,128 3,40,151 3,50,170 3,60,188 >train.csv
printf '%s\n' site,age 3,30 4,30 9,30 >new.csv
for loss in squared absolute; do
  run_line "linpred fit regression train.csv --loss $loss -o $loss.json | grep -E '^dependent|^  (site|age|\(int)|^verified'"
  run linpred predict $loss.json new.csv
done
printf '%s\n' site,age,bought 3,20,no 3,30,yes 3,40,no 3,50,yes 3,60,yes >bought.csv
run_line "linpred fit logistic bought.csv -o logistic.json | grep -E '^dependent|^  (site|age|\(int)|^verified'"
run linpred predict logistic.json new.csv --what probability
json_of "notices" linpred predict logistic.json new.csv
run linpred predict logistic.json new.csv --quiet
# Several dependencies are told one by one, the first three of them.
printf '%s\n' a,b,c,d,e,y 1,2,5,1,7,3 2,4,5,2,7,4 4,8,5,4,7,9 5,10,5,5,7,8 >several.csv
printf '%s\n' a,b,c,d,e 1,2,5,1,7 1,3,6,2,8 1,2,6,1,7 >broken.csv
run_line "linpred fit regression several.csv -o several.json | sed -n '/^dependent/,/^coeff/p'"
run linpred predict several.json broken.csv
# Rows and columns: the same as LIBSVM.
printf '%s\n' '110 1:3 2:20' '128 1:3 2:30' '151 1:3 2:40' '170 1:3 2:50' '188 1:3 2:60' >train.svm
json_of "coefficients" linpred fit regression train.svm
json_of "coefficients" linpred fit regression train.csv
# A constant column beside one of large mean and small spread.
awk 'BEGIN { print "x,c,y"; for (i = 0; i < 12; i++) printf "%.12f,3,%d\n", 1000 + 1e-7 * ((7 * i) % 12), (5 * i) % 9 }' >narrow.csv
json_of "outcome verdict dependencies rank coefficients.c" linpred fit regression narrow.csv
json_of "outcome verdict dependencies rank coefficients.c" linpred fit regression narrow.csv --loss absolute
# Among decimals a dependency is exact. Among their doubles it holds to rounding only: the claim says so, and the exit
# code is 0.
printf '%s\n' mph,kmh,y 1,1.6093,1 2,3.2186,3 3,4.8279,2 7,11.2651,5 9,14.4837,9 >decimals.csv
for loss in squared absolute; do
  run_line "linpred fit regression decimals.csv --loss $loss | grep -E '^dependent|^verified|minimise' | sed -E 's/[0-9.]+e-[0-9]+/…/g'"
done
doubles <decimals.csv >speeds.csv
for loss in squared absolute; do
  run_line "linpred fit regression speeds.csv --loss $loss | grep -E '^dependent|^verified|minimise' | sed -E 's/[0-9.]+e-[0-9]+/…/g'"
  json_of "verdict respecting_dependencies notices" linpred fit regression speeds.csv --loss $loss -o speeds.json
  run_line "linpred verify speeds.json speeds.csv | grep ^verified"
done
# Powers of a constant column, however small it is.
printf '%s\n' x,y 1e-6,1 1e-6,2 1e-6,4 >tiny.csv
json_of "verdict rank coefficients" linpred fit regression tiny.csv --degree 5
