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
