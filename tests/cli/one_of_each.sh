# One row is "the row", and `columns` means the same in every command.
printf '%s\n' x,y 1,a >one.csv
run linpred separable one.csv
printf '%s\n' x,y 0,1 1,2 2,5 3,9 4,1 >powers.csv
json_of columns linpred fit regression powers.csv -t y --degree 3 -o powers.json
json_of columns linpred verify powers.json powers.csv
json_of columns linpred inspect powers.json
