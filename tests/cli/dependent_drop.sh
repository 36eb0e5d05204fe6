# --dependent drop: columns that depend on those before them are left out, as R's lm and glm do.
printf '%s\n' a,b,sum,seven,cost 1,2,3,7,5 2,1,3,7,6 4,2,6,7,9 5,7,12,7,20 3,3,6,7,10 >parts.csv
printf '%s\n' a,b,sum,seven 1,2,3,7 1,2,9,7 >new.csv
run_line "linpred fit regression parts.csv --dependent drop -o parts.json | sed -n '/^method/p; /^dependent/,$ p'"
run_line "linpred fit regression parts.csv --drop sum,seven | sed -n '/^coefficients/,/^verified/ p'"
json_of "dropped coefficients standard_errors verdict" linpred fit regression parts.csv --dependent drop
run_line "linpred inspect parts.json | grep -A8 ^dependent"
run_line "linpred verify parts.json parts.csv | grep -E 'verified|rank'"
run linpred predict parts.json new.csv
json_of "dropped coefficients verdict" linpred fit regression parts.csv --dependent drop --loss absolute
# The order of the columns decides which are left out.
awk -F, -v OFS=, '{ print $3, $2, $1, $5 }' parts.csv >turned.csv
json_of "dropped" linpred fit regression turned.csv --dependent drop
printf '%s\n' a,b,sum,bought 1,2,3,no 2,1,3,yes 4,2,6,no 5,7,12,yes 3,3,6,no 2,5,7,yes 6,1,7,no 6,6,12,no >bought.csv
run_line "linpred fit logistic bought.csv --dependent drop | sed -n '/^dependent/,/^verified/ p'"
json_of "dropped verdict" linpred fit logistic bought.csv --dependent drop --method newton-cg
# To rounding only: the claim says so, and the exit code is 0.
printf '%s\n' mph,kmh,y 1,1.6093,1 2,3.2186,3 3,4.8279,2 7,11.2651,5 9,14.4837,9 | doubles >speeds.csv
for fit in "regression" "regression --loss absolute"; do
  run_line "linpred fit $fit speeds.csv --dependent drop | grep -E '^dependent|^verified|minimise|^  (mph|kmh)' | sed -E 's/[0-9.]+e-[0-9]+/…/g'"
done
# Where it has no meaning.
run linpred fit regression parts.csv --dependent drop --l2 1
run linpred fit regression parts.csv --dependent drop --degree 2
run linpred fit halfspace bought.csv --dependent drop
run linpred fit logistic bought.csv --dependent R
