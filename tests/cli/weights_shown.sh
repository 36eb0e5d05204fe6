# Row and class weights are named wherever they count: their column, their total, and what they do to standard errors.
printf '%s\n' x,w,y 1,2,a 2,1.5,b 3,1,a 4,1.25,b 5,0.3,a 6,1,b 2.5,0.1,b >part.csv
run linpred fit logistic part.csv --weights w -o part.json
run linpred inspect part.json
run linpred evaluate part.json part.csv
json_of "weights total_weight errors labels notices" linpred fit logistic part.csv --weights w
json_of "weights total_weight errors labels notes reason" linpred inspect part.json
# Whole weights are counts: nothing to be told.
sed 's/1\.5/3/; s/1\.25/1/; s/0\.3/1/; s/0\.1/1/' part.csv >whole.csv
run_line "linpred fit logistic whole.csv --weights w | grep -E '^(weights|errors)'"
json_of "notices" linpred fit logistic whole.csv --weights w
# A regression has them too; absolute loss has no standard errors to be told of.
run_line "linpred fit regression part.csv -t x --weights w | grep -E '^(weights|data)'"
json_of "notices" linpred fit regression part.csv -t x --weights w --loss absolute
# A file without the column counts each row once, and that is told.
cut -d, -f1,3 part.csv >plain.csv
run_line "linpred evaluate part.json plain.csv | head -n 1"
json_of "notices weight" linpred evaluate part.json plain.csv
json_of "notices verdict" linpred verify part.json plain.csv
json_of "notices probabilities positive negative" linpred predict part.json plain.csv --what probability
json_of "notices" linpred evaluate part.json plain.csv --quiet
# Sums of tenths.
printf '%s\n' x,w,y 1,0.1,a 2,0.1,b 3,0.09,a 4,0.71,b 2,0.1,a 2,0.1,a >tenths.csv
run_line "linpred fit halfspace tenths.csv --weights w | grep -E '^(weights|errors)'"
# Class weights, asked for as a word and kept as numbers.
run_line "linpred fit logistic whole.csv --drop w --class-weights balanced -o balanced.json | grep -A1 ^objective"
run_line "linpred inspect balanced.json | grep -A1 -E '^objective|no standard'"
json_of "class_weights formula weights total_weight no_standard_errors" linpred inspect balanced.json
# A model whose total was changed by hand is refuted.
sed -E 's/("total_weight": )[0-9.]*/\18.15/' part.json >edited.json
run_line "linpred verify edited.json part.csv --accept-edited | grep verified"
