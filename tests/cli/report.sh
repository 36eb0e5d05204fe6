# Reports: what is refused; check_reports.py opens them in a browser.
separable >two.csv
linpred fit halfspace two.csv -o two.json >/dev/null
run linpred report two.json two.csv -o two.html
grep -c '<figure' two.html
json_of "report verdict" linpred report two.json two.csv -o two.html
run linpred report two.json two.csv
run linpred report two.json two.csv -o two.json
run linpred report two.json two.csv -o two.pdf
# Rows that are not those of the fit: at best partly proved.
printf '%s\n' x1,x2,y 2,1,1 1,3,-1 -1,-2,-1 -3,0.5,-1 >other.csv
run linpred report two.json other.csv -o other.html
grep -o 'not the rows of the fit</dd>' other.html
