# Which columns are used, and how labels are told apart.
cp "$SOURCE"/examples/data/birthwt.csv .
brief() { json_of "rows columns labels notes coefficients error.message" linpred fit halfspace birthwt.csv --max-passes 1 --method pocket "$@"; }
brief -t low --features age,race
brief -t 1 --drop bwt,race,ftv,ptl
brief -t low --drop 10,ftv
brief -t smoke --features age,lwt --positive 0
brief -t smoke --features age,lwt --positive 1.0
brief -t low --features age --positive normal
brief -t low --features smoke --text smoke
brief -t low --features race,smoke,ht --text smoke,ht
brief -t race --features age
brief -t low --features age --text nothing
printf '%s\n' '"a,b",c,y' 1,2,0 2,1,1 >comma.csv
json_of "coefficients" linpred fit halfspace comma.csv --features a,,b
json_of "coefficients error.message" linpred fit halfspace comma.csv --features a,b
json_of "coefficients" linpred fit halfspace comma.csv --drop a,,b
# Coefficients are told apart by their names.
printf '%s\n' 'colour,colour=red,y' blue,1,0 red,2,1 >clash.csv
run linpred fit halfspace clash.csv
printf '%s\n' '(intercept),y' 1,0 2,1 >clash.csv
run linpred fit halfspace clash.csv
printf '%s\n' 'x,x^2,y' 1,2,1 2,3,5 3,5,2 4,9,1 >powers.csv
run linpred fit regression powers.csv --degree 2 --on x
# R's row names are a column without a name: it can be left out, and inspect shows it.
{ echo '"","a","y"'; for i in $(seq 12); do echo "\"$i\",$((i * i % 7)),$((i % 2))"; done; } >r.csv
run linpred fit halfspace r.csv
json_of "coefficients" linpred fit halfspace r.csv --drop 1 --method pocket --max-passes 1
run linpred fit halfspace r.csv -t 1
run linpred inspect r.csv
# A column that counts the rows is noticed.
sed 's/^""/id/' r.csv >numbered.csv
run linpred fit halfspace numbered.csv --method pocket --max-passes 1 --no-verify
# Also if a row is left out, and if the numbers do not begin at 1; but not if a number is left out in the file.
sed '5s/,[0-9]*,/,,/' numbered.csv >gap.csv
run_line 'linpred fit halfspace gap.csv --missing drop --method pocket --max-passes 1 --no-verify | head -3'
awk -F, 'NR > 1 {gsub("\"", "", $1); $1 += 1000} {print $1 "," $2 "," $3}' numbered.csv >from_1001.csv
run_line 'linpred fit halfspace from_1001.csv --method pocket --max-passes 1 --no-verify | head -3'
sed 5d numbered.csv >skipped.csv
run_line 'linpred fit halfspace skipped.csv --method pocket --max-passes 1 --no-verify | head -3'
# A column that is the only feature cannot be left out.
run_line 'linpred fit halfspace numbered.csv --features id --method pocket --max-passes 1 --no-verify | head -3'
# Of many levels five are shown; all of them with --json.
{ echo c,y; for i in 1 2 3 4 5 6 7 8; do echo "l$i,0"; echo "l$i,1"; done; } >levels.csv
run_line 'linpred fit halfspace levels.csv --method lp | grep "text column"'
json_of "notes" linpred fit halfspace levels.csv --method lp
