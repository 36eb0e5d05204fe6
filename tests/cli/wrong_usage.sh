# Each of these is answered by one sentence on standard error and exit code 2.
separable >d.csv
run linpred fits halfspace d.csv
run linpred veryfy m.json d.csv
run linpred something
run linpred fit
run linpred fit cube d.csv
run linpred fit halfspac d.csv
run linpred fit halfspace
run linpred predict d.csv
run linpred inspect d.csv e.csv
run linpred fit halfspace d.csv --max-pases 3
run linpred fit halfspace d.csv --max-pass 3
run linpred fit halfspace d.csv --zzz
run linpred fit halfspace d.csv -x
run linpred predict m.json d.csv --order first
run linpred fit halfspace d.csv --order
run linpred fit halfspace d.csv -t
run linpred fit halfspace d.csv --order backwards
run linpred fit halfspace d.csv --max-passes 0
run linpred fit halfspace d.csv --max-passes 1.5
run linpred fit halfspace d.csv --max-passes 99999999999999999999
run linpred fit halfspace d.csv --rate 0
run linpred fit halfspace d.csv --rate nan
run linpred fit halfspace d.csv --rate 1e400
run linpred fit halfspace d.csv --max-seconds -1
run linpred fit halfspace d.csv --threads 1000
run linpred fit halfspace d.csv --seed abc
run linpred fit halfspace d.csv --method simplex
run linpred fit logistic d.csv --method simplex
run linpred fit ball d.csv --method simplex
run linpred fit halfspace d.csv --method lp --seed 3
run linpred fit halfspace d.csv --method pocket --seed 3
run linpred fit ball d.csv --method lp --seed 3
run linpred fit halfspace d.csv --order first
run linpred fit halfspace d.csv --method lp --rate 2
run linpred fit halfspace d.csv --method pocket --bound
run linpred fit halfspace d.csv --method lp --start m.json
run linpred fit halfspace d.csv --method margin --trace t.csv
run linpred fit halfspace d.csv --quiet=yes
run linpred fit halfspace d.csv --no-intercept=1
run linpred fit halfspace d.csv --seed 1 --seed 2
run linpred fit halfspace d.csv -o a.json --output b.json
run linpred fit halfspace d.csv --method pocket --mistake sign
run linpred predict d.csv d.csv --what odds
run linpred fit halfspace nowhere.csv
run linpred fit halfspace .
run linpred verify nowhere.json d.csv
run linpred predict d.csv d.csv
run linpred fit halfspace d.csv -t z
run linpred fit halfspace d.csv -t 4
run linpred fit halfspace d.csv -t 0
run linpred fit halfspace d.csv -t ''
run linpred fit halfspace d.csv --drop y
run linpred fit halfspace d.csv --features x1,y
run linpred fit halfspace d.csv --features x1,X9
run linpred fit halfspace d.csv --drop x1,x2
run linpred fit halfspace d.csv --weights y
run linpred fit halfspace d.csv --positive 7
run linpred fit regression data.csv --confidence 1
run linpred fit regression data.csv --loss absolute --quantile 1
run linpred fit logistic data.csv --tolerance 0.5
run linpred help fit nosuch
run linpred help fit logit
run linpred version x
run linpred version --jsn
run linpred fit ball d.csv --method pocket --order worst
