# Cases that programs get wrong, by both losses: each answer is verified.
keys="outcome unique rank coefficients standard_errors no_standard_errors dependencies r_squared mean_absolute_error verdict"
both() {
  json_of "$keys" linpred fit regression "$@"
  json_of "outcome unique rank coefficients dependencies mean_absolute_error verdict" linpred fit regression "$@" --loss absolute
}
echo "# fewer rows than columns"
printf 'a,b,c,y\n1,2,0,3\n0,1,1,2\n' >few.csv
both few.csv
echo "# as many rows as coefficients"
printf 'a,b,y\n1,2,3\n0,1,2\n4,1,1\n' >square.csv
both square.csv
echo "# one row"
printf 'a,b,y\n1,2,12\n' >one.csv
both one.csv
echo "# a column twice, a constant column, a column of zeros"
printf 'a,twice,constant,zero,y\n1,1,5,0,1\n2,2,5,0,3\n3,3,5,0,4\n5,5,5,0,9\n' >dependent.csv
both dependent.csv
echo "# 1e-200 beside 1e200"
printf 'tiny,huge,y\n1e-200,3e200,1\n2e-200,1e200,2\n3e-200,2e200,3.5\n5e-200,1e200,5\n' >units.csv
both units.csv
echo "# y constant"
printf 'a,y\n1,7\n2,7\n4,7\n' >constant.csv
both constant.csv
echo "# a perfect fit"
printf 'a,y\n1,3\n2,5\n4,9\n7,15\n' >perfect.csv
both perfect.csv
echo "# a row of zeros, through the origin"
printf 'a,b,y\n0,0,1\n1,2,3\n2,1,3\n1,1,1\n' >zeros.csv
both zeros.csv --no-intercept
echo "# an even number of rows: any number between the middle two is a median"
printf 'x,y\n0,1\n0,2\n0,4\n0,8\n' >even.csv
json_of "unique objective verdict" linpred fit regression even.csv --loss absolute
echo "# weight 3 is three copies"
printf 'a,b,w,y\n1,2,3,1\n2,0,1,3\n3,3,1,4\n5,1,3,9\n4,2,1,2\n0,1,2,0\n7,5,1,8\n' >weights.csv
awk -F, -v OFS=, 'NR == 1 { print $1, $2, $4; next } { for (k = 0; k < $3; k++) print $1, $2, $4 }' weights.csv >copies.csv
for loss in squared absolute; do
  summary="coefficients standard_errors objective unique degrees_of_freedom"
  json_of "$summary" linpred fit regression weights.csv --weights w --loss $loss | tail -n +2 >weighted
  json_of "$summary" linpred fit regression copies.csv --loss $loss | tail -n +2 >copied
  same weighted copied "$loss"
  grep unique copied
done
echo "# dense is sparse; 1, 2 and 4 threads give the same bits"
awk -F, 'NR > 1 { printf "%s", $3; for (j = 1; j < 3; j++) if ($j != 0) printf " %d:%s", j, $j; print "" }' copies.csv >copies.svm
sed 's/^a,b/x1,x2/' copies.csv >named.csv
for loss in squared absolute; do
  json_of "coefficients standard_errors objective" linpred fit regression named.csv --loss $loss | tail -n +2 >dense
  json_of "coefficients standard_errors objective" linpred fit regression copies.svm --loss $loss | tail -n +2 >sparse
  same dense sparse "$loss"
  for threads in 1 2 4; do
    linpred fit regression named.csv --loss $loss --threads $threads --quiet -o "$threads.json" >/dev/null
    timeless "$threads.json" >"$threads.timeless"
  done
  same 1.timeless 2.timeless "$loss, 1 and 2 threads"
  same 1.timeless 4.timeless "$loss, 1 and 4 threads"
done

# Weights count copies: three rows of weight 1/2 are fewer than two coefficients need.
printf '%s\n' x,y,w 1,1,0.5 2,3,0.5 3,4,0.5 >light.csv
json_of "degrees_of_freedom no_standard_errors verdict" linpred fit regression light.csv -t y --weights w -o light.json

# A penalised fit states no degrees of freedom and claims no standard errors; nor does one whose coefficients are as many
# as its rows.
printf '%s\n' x,y 1,1 2,3 >two.csv
json_of "rank degrees_of_freedom standard_errors claims" linpred fit regression two.csv -t y --l2 1 --degree 3 --no-verify
json_of "rank degrees_of_freedom residual_sd standard_errors verdict" linpred fit regression two.csv -t y

# A column that is constant to rounding only: its rank is not proved.
printf '%s\n' c0,y 7.0000000000001,5 7,1 >nearly_constant.csv
run_line 'linpred fit regression nearly_constant.csv --loss absolute | grep -E "^verified|rank .*—"'

# What doubles cannot hold is refused with a sentence: a coefficient below their range, and powers beyond it.
printf '%s\n' a,y 1e300,1e-60 2e300,3e-60 -1e300,2e-60 >tiny_coefficient.csv
run_line 'linpred fit regression tiny_coefficient.csv --loss squared'
printf '%s\n' a,y 1e150,1 2e150,3 -1e150,2 5,1 >powers.csv
run_line 'linpred fit regression powers.csv --degree 3 --loss absolute'

# Columns that doubles take for dependent, but one row does not: rationals find the fit.
printf '%s\n' a,b,y 1,2.25,0 2000000000000000,4000000000000000,5 3000000000000000,6000000000000000,3 \
  4000000000000000,8000000000000000,1 5000000000000000,10000000000000000,6 >one_row.csv
json_of "rank objective" linpred fit regression one_row.csv --no-intercept --loss absolute
json_of "rank objective" linpred fit regression one_row.csv --no-intercept --loss squared
