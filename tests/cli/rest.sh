# More than two labels: --positive takes one of them against the rest. A label that the fit did not see is of the rest too.
printf '%s\n' a,b,kind 1,2,red 2,1,red 5,6,blue 6,5,blue 9,1,green 8,2,green >three.csv
run linpred fit halfspace three.csv
run linpred fit halfspace three.csv --positive pink
run linpred fit halfspace three.csv --positive red --method lp --quiet -o red.json
run linpred predict red.json three.csv
run linpred verify red.json three.csv
run_line 'linpred inspect red.json | head -4'
printf '%s\n' a,b,kind 1,2,red 9,9,violet >new.csv
run linpred evaluate red.json new.csv
# The same with numbers for labels.
sed 's/red/1/;s/blue/2/;s/green/3/' three.csv >numbers.csv
run_line 'linpred fit logistic numbers.csv --positive 2 --l2 0.1 -o two.json | head -2'
run linpred verify two.json numbers.csv
# A model whose second label is not the rest of the first is no model.
sed 's/"not red"/"not blue"/' red.json >wrong.json
run linpred predict wrong.json three.csv --accept-edited
