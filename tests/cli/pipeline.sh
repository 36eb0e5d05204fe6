# Predictions for a pipeline: columns that are passed through, several predictions a row, rows that cannot be scored.
cp "$SOURCE"/examples/data/birthwt.csv .
run_line 'linpred fit logistic birthwt.csv -t low --features age,lwt,race,smoke -o low.json | head -2'
printf '%s\n' id,age,lwt,race,smoke,low 007,20,120,white,1,low '"a, ""b""",30,,black,0,normal' 3,25,100,green,0,low \
  9007199254740993,31.50,150,other,0,normal >new.csv
run linpred predict low.json new.csv --keep id
run linpred predict low.json new.csv --keep id --missing drop
run linpred predict low.json new.csv --keep id --missing mean
run linpred predict low.json new.csv --keep id --missing drop --unknown-level zero
run linpred predict low.json new.csv --keep id,age,low --what label,probability,score --missing drop --unknown-level drop
run linpred predict low.json new.csv --keep 1 --what score,label --missing drop --unknown-level drop -o out.csv
run cat out.csv
json_of "rows threshold notices kept labels probabilities" \
  linpred predict low.json new.csv --keep id --what label,probability --missing drop --unknown-level drop --threshold 0.7
# The threshold of a logistic model is a probability.
run linpred predict low.json new.csv --keep id --what probability,label --missing drop --unknown-level drop --threshold 0.7
run linpred predict low.json new.csv --keep id --threshold 1.5 --missing drop --unknown-level drop
run linpred predict low.json new.csv --keep id --threshold 0.5 --what score
# A column of --keep may have the name of a prediction.
sed 's/^id,/label,/' new.csv >named.csv
run linpred predict low.json named.csv --keep label --missing drop --unknown-level drop --quiet
run linpred predict low.json named.csv --keep label --missing drop --unknown-level drop -o named.out.csv
# Names only: the answer has names only.
head -1 new.csv >header.csv
run linpred predict low.json header.csv --keep id --what label,score
json_of "rows labels" linpred predict low.json header.csv
run linpred evaluate low.json header.csv
run linpred fit logistic header.csv -t low
# What cannot be meant.
run linpred predict low.json new.csv --keep idd
run linpred predict low.json new.csv --keep id,1
run linpred predict low.json named.csv --keep label,2 --missing drop
run linpred predict low.json new.csv --what label,odds
run linpred predict low.json new.csv --what label,label
printf '+1 1:1\n' >row.svm
run linpred predict low.json row.svm --keep id
# A model with means may still refuse or drop, and says how many rows it fills.
printf '%s\n' x,kind,y 1,a,0 2,a,0 ,b,1 4,b,1 5,a,0 6,b,1 >means.csv
run_line 'linpred fit logistic means.csv --missing mean --l2 0.1 -o means.json | head -3'
printf '%s\n' x,kind ,a 2,b ,b >gaps.csv
run linpred predict means.json gaps.csv --what score
run linpred predict means.json gaps.csv --what score --missing drop
run linpred predict means.json gaps.csv --what score --missing fail
# A threshold for scores; a regression has none.
run_line 'linpred fit halfspace birthwt.csv -t low --features age,lwt --method pocket --max-passes 50 -o pocket.json | grep ^errors'
run_line 'linpred predict pocket.json new.csv --keep id --missing drop --what label,score --threshold 20000'
run_line 'linpred fit regression birthwt.csv -t bwt --features age,lwt -o weight.json | head -1'
run linpred predict weight.json new.csv --missing drop --threshold 3000
run linpred predict weight.json new.csv --missing drop --keep id --what score --interval
run linpred predict weight.json new.csv --missing drop --what label,score
# evaluate: precision, recall, F1, ROC, log loss, by a threshold; a label that the model does not know is quoted.
run linpred evaluate low.json birthwt.csv --threshold 0.7
json_of "threshold precision recall f1 confusion log_loss" linpred evaluate low.json birthwt.csv --threshold 0.7
printf '%s\n' age,lwt,race,smoke,low 20,120,white,1,low 30,100,black,0,normal 25,100,other,0,low 31,150,other,0,normal \
  22,140,other,1,low >five.csv
run linpred evaluate low.json five.csv
json_of "auc roc" linpred evaluate low.json five.csv
run linpred evaluate low.json five.csv --threshold 0.99
sed '3s/normal/medium/' five.csv >third.csv
run linpred evaluate low.json third.csv
# Levels are those of the rows that are used: one that occurs only in rows that are left out is unknown.
printf '%s\n' x,kind,y 1,a,1.5 2,b,2.4 3,a,3.6 ,c,9 4,b,4.4 >left_out.csv
run_line 'linpred fit regression left_out.csv --missing drop -o left_out.json | head -4'
printf '%s\n' x,kind 2,b 2,c >c.csv
run linpred predict left_out.json c.csv
run linpred predict left_out.json c.csv --unknown-level drop
run_line 'linpred verify left_out.json left_out.csv | head -1'
printf '%s\n' x,kind,w,y 1,a,1,1.5 2,b,1,2.4 3,a,2,3.6 3,c,0,9 4,b,1,4.4 >weightless.csv
run_line 'linpred fit regression weightless.csv --weights w -o weightless.json | head -5'
run linpred predict weightless.json c.csv
