# With --json standard output is one object whatever the exit code; on 2 and 3 it says what went wrong and where.
separable >d.csv
printf 'x1,y\n1,a\n2,b\nthree,a\n' >word.csv
where="error.message error.file error.line error.column"
json_of "$where" linpred fit regression word.csv -t 1
json_of "$where" linpred fit halfspace nowhere.csv
json_of "$where" linpred fit halfspace d.csv --ordr first
json_of "$where" linpred fit halfspace d.csv -o missing/model.json
json_of "$where" linpred fit halfspace d.csv -t z
json_of "$where" linpred fit halfspace d.csv -o /dev/full
json_of "$where" linpred fit halfspace
json_of "$where" linpred fit
json_of "$where" linpred frobnicate
json_of "$where" linpred verify d.csv d.csv
json_of "$where" linpred predict nowhere.json d.csv
json_of "$where" linpred evaluate nowhere.json d.csv
json_of "$where" linpred inspect nowhere.csv
json_of "$where" linpred inspect $'caf\xe9.csv'
json_of "$where" linpred fit halfspace d.csv --order $'\xff\x01'
