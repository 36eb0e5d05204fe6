# What must be said, and what must not be said wrongly.

printf 'x,y\n1,Yes\n2,yes\n3,No\n4,no\n5,"Yes"\n6,No\n2.5,Yes\n' >answers.csv
printf 'x,y\n1,Maybe\n2,Yes\n' >later.csv
# Labels that count as the rest are named, and spellings of the label itself.
run_line 'linpred fit halfspace answers.csv --positive Yes -o yes.json --quiet >shown.txt'
run_line "linpred fit halfspace answers.csv --positive ' Yes ' | grep labels"
run linpred fit halfspace answers.csv --positive YES
run_line 'linpred evaluate yes.json later.csv >shown.txt'
printf 'x,y\n1,1\n2,2\n3,3\n4,1\n' >numbers.csv
run_line 'linpred fit halfspace numbers.csv --positive 2 | grep labels'
run linpred fit halfspace numbers.csv --positive 4
printf 'x,y\n1,a\n2,b\n' >two.csv
run linpred fit halfspace two.csv --positive c
run_line "linpred fit halfspace two.csv --positive 'a ' | grep labels"

# A file from before is said to be that.
printf 'x,y\n1,0\n2,0\n3,1\n4,1\n' >apart.csv
echo old >old.json
run_line 'linpred fit logistic apart.csv -o old.json | grep ^model'
cat old.json
run_line 'linpred fit logistic apart.csv -o new.json | grep ^model'
ls new.json 2>/dev/null || echo "and there is no new.json"

# What a number must be.
run linpred evaluate yes.json later.csv --threshold abc

# Other rows are not judged.
printf 'x,y\n1,1.1\n2,2.3\n3,2.9\n4,4.2\n5,4.8\n' >line.csv
head -n 4 line.csv >part.csv
run_line 'linpred fit regression line.csv -o line.json >shown.txt'
run linpred verify line.json part.csv
run_line "linpred verify line.json part.csv --json | grep -E '\"(verdict|same_data)\"' | sort -u"

# All levels that the fit did not see.
printf 'x,c,d,y\n1,a,u,1\n2,b,v,2\n3,a,u,4\n4,b,v,3\n5,a,v,7\n' >levels.csv
printf 'x,c,d,y\n1,z,u,1\n2,q,w,2\n3,a,u,4\n' >unseen.csv
(cat unseen.csv; for i in 1 2 3 4 5 6; do echo "$i,more$i,u,1"; done) >many.csv
run_line 'linpred fit regression levels.csv -o levels.json >shown.txt'
run linpred predict levels.json unseen.csv
run linpred predict levels.json unseen.csv --unknown-level zero
run linpred predict levels.json many.csv --unknown-level drop

# A regression has a target, not a label.
run linpred fit regression line.csv --weights y
run linpred fit regression line.csv --features y
run linpred fit regression line.csv --drop x
printf 'x,w,y\n1,1,1\n2,2,2\n4,1,3\n' >weighted.csv
printf 'x,w,y\n1,0,1\n2,0,2\n' >weightless.csv
run_line 'linpred fit regression weighted.csv --weights w -o weighted.json >shown.txt'
run linpred evaluate weighted.json weightless.csv

# No coefficient can be estimated.
printf 'a,b,y\n1,2,1\n2,4,2.1\n3,6,2.9\n4,8,4.2\n' >double.csv
run_line "linpred fit regression double.csv --no-intercept | grep -i 'standard error'"

# Targets beyond the range of squares.
printf 'x,y\n1,1e200\n2,2.5e200\n3,2e200\n4,4e200\n' >huge.csv
run linpred fit regression huge.csv
run linpred fit regression huge.csv --l2 1
run_line 'linpred fit regression huge.csv --loss absolute | grep outcome'
printf 'x,y\n1,1e-200\n2,2.5e-200\n3,2e-200\n4,4e-200\n' >small.csv
run linpred fit regression small.csv
run_line 'linpred fit regression small.csv --loss absolute | grep outcome'
printf 'x,y\n1,1e-300\n2,2.5e-300\n3,2e-300\n4,4e-300\n' >tiny.csv
run linpred fit regression tiny.csv

# An undecided fit says what to do.
printf 'v0,v1,y\n0.3000000000000001,0.09999999999999996,1\n1.1102230246251565e-16,0.1,-1\n1.1102230246251565e-16,0.10000000000000003,1\n0.20000000000000012,0.10000000000000002,-1\n-0.1999999999999999,0.09999999999999996,1\n' >last_digits.csv
run_line 'linpred fit logistic last_digits.csv | grep outcome'
run_line 'linpred fit logistic last_digits.csv --tolerance 1e-4 | grep outcome'
awk -F, 'NR == 1 {print} NR > 1 {printf "%s,%d,%s\n", $1, (substr($2, 1, 4) == "0.09") ? -4 : substr($2 "00000000000000000", 18, 2) / 1, $3}' last_digits.csv >shifted.csv
run_line 'linpred fit logistic shifted.csv | grep outcome | cut -c 1-60'

# Files that cannot be written.
run linpred fit regression line.csv -o /proc/model.json
awk 'BEGIN { print "c,y"; for (i = 1; i < 3000; i++) print "level" i "," i * 3 % 7 }' >levels.csv
run_line '(ulimit -f 8; linpred fit regression levels.csv --l2 1 --no-verify --quiet -o large.json >/dev/null)'
run_line '(ulimit -f 8; linpred generate noisy --rows 2000 -o large.csv)'
ls -A | grep -c -e '^.linpred-' -e '^large' || true
