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
