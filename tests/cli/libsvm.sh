printf '1 1:2 3:1\n-1 2:1\n1 1:1 2:-1\n-1 1:-3\n' >d.svm
run linpred fit halfspace d.svm --method perceptron -o model.json
run linpred verify model.json d.svm
printf '0 3:1\n0 7:1 2:5\n' >bad.svm
run linpred predict model.json bad.svm
printf '0 3:1\n0 2:5 7:1\n' >new.svm
run linpred predict model.json new.svm --what score
run linpred fit halfspace d.svm --features x1,3
run linpred fit halfspace d.svm --drop 2
run linpred fit halfspace d.svm -t label --json
run linpred fit halfspace d.svm -t 1 --no-verify
run linpred fit halfspace d.svm -t x1
run linpred fit halfspace d.svm --weights x1 --method pocket
run linpred fit halfspace d.svm --features x9
# A model of a dense file takes sparse rows of the same names, and the other way round.
printf 'x1,x2,x3\n2,0,1\n0,1,0\n' >dense.csv
run linpred predict model.json dense.csv --what score
printf 'x1,x2,y\n2,1,1\n-1,-2,-1\n' >train.csv
linpred fit halfspace train.csv --method perceptron -o dense.json >out.txt
run_line 'printf "0 2:1\n0 1:-1\n" | linpred predict dense.json - --what score'
# A file that has no entry 0 is read as the model's data was; one that has is refused where that counted from 1.
printf '1 0:2 2:1\n-1 0:-1 1:1\n' >zero.svm
linpred fit halfspace zero.svm --method perceptron -o zero.json >out.txt
run linpred predict zero.json zero.svm --what score
run_line 'printf "1 2:1\n" | linpred predict zero.json - --what score'
run_line 'printf "1 3:1\n" | linpred predict zero.json - --what score --index-base 1'
run_line 'printf "1 0:1\n" | linpred predict model.json - --what score'
run_line 'printf "1 0:1\n" | linpred predict model.json - --what score --index-base 0'
# What begins a line is not looked at when predicting, and must be a known label when verifying.
run linpred verify model.json new.svm
# Columns that never occur cost nothing, or the file is refused at once.
printf '1 1:1 2:1\n-1 400000000:1\n' >far.svm
run linpred fit logistic far.svm
run linpred inspect far.svm
run linpred convert far.svm -o far.npz
printf '1 1:2 7:3\n-1 1:3\n1 7:5\n-1 7:1\n1 1:1\n' >near.svm
linpred fit logistic near.svm --l2 0.1 -o near.json >out.txt
printf '1 1:2 2000000000:3\n-1 7:3\n' >far.svm
run linpred predict near.json far.svm --what score
