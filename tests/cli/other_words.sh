# Words that people try are answered with the command that does it, or with what linpred does not have.
printf '%s\n' x1,x2,y 1,2,0 2,1,0 3,5,1 4,4,1 5,1,0 6,7,1 >d.csv
for word in perceptron svm lasso ridge elasticnet logit probit glm ols lm lad quantile pca kmeans tree forest boost \
  naive-bayes lda knn nn Random_Forest poly pocket svr poisson multinomial train; do
  run linpred fit $word d.csv
done
for word in lasso OLS describe score learn check apply; do run linpred $word d.csv; done
run linpred fit cube d.csv
run linpred fit "" d.csv
# What is suggested can be run: no option and no command of it is unknown.
for word in perceptron pocket margin svm svr exact lp logit probit glm ols ridge lasso lad quantile huber poly circle nb sgd; do
  linpred fit $word d.csv 2>&1 | grep -oE 'linpred (fit [a-z]+|separable) DATA( --[a-z0-9-]+ [A-Za-z0-9.]+)*' | while read -r command; do
    filled=${command//DATA/d.csv}
    filled=${filled/LAMBDA/1}
    filled=${filled/COLUMN/x1}
    eval "$filled --quiet" >/dev/null 2>said.txt
    [ $? -le 1 ] && [ ! -s said.txt ] || echo "$word: $filled fails: $(cat said.txt)"
  done
done
# Options that people try.
for flag in --save --model --output --lambda --C --alpha --label --header --delimiter --l1 --max-iter --n_jobs --sep \
  --exclude --sample-weight --random-state --learning-rate --encoding --cv --tol --solver --verbose --proba -target -y -v; do
  run linpred fit logistic d.csv $flag
done
for flag in --max-iter --learning-rate --lambda --C; do run linpred fit halfspace d.csv $flag 1; done
for flag in --alpha --tau --poly; do run linpred fit regression d.csv $flag 0.5; done
linpred fit logistic d.csv --l2 1 --quiet -o m.json >out.txt
for flag in --proba --cutoff --id --save --drop --label; do run linpred predict m.json d.csv $flag y; done
# What is suggested is an option of that command.
for command in "fit halfspace" "fit logistic" "fit regression" "fit ball" predict evaluate verify inspect separable; do
  linpred $command --help >help.txt
  for word in save lambda c alpha penalty label delimiter no-header names ignore include weight na-values dropna intercept \
    epochs timeout eta jobs random-state solver tol class-weight pos-label proba cutoff ci pi id scale poly tau type dec \
    skiprows comment-char factor dates sql aliased unchecked force silent; do
    said=$(linpred $command a b --$word 1 2>&1 | sed -n 's/.*; say \(--[a-z0-9-]*\).*/\1/p')
    [ -z "$said" ] || grep -q -- "$said" help.txt || echo "$command --$word: suggests $said"
  done
done
for word in show draw html cv; do run linpred $word m.json; done
