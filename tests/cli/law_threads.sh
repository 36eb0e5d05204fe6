# The number of threads changes no bit of the answer: model files are equal but for the seconds.
cp "$SOURCE"/examples/data/iris.csv "$SOURCE"/examples/data/birthwt.csv .
awk 'BEGIN {
  print "x1,x2,x3,x4,y"
  for (i = 1; i <= 30000; i++) {
    a = (i * 7919) % 1009 / 97; b = (i * 104729) % 997 / 89; c = (i * 31) % 601 / 53; d = (i * 1301) % 211 / 7
    print a "," b "," c "," d "," (a + 2 * b - c - d / 3 > 9 + (i % 997 == 5) * 4)
  }
}' >large.csv
grep -v setosa iris.csv >two.csv
sed -E 's/versicolor|virginica/other/' iris.csv >setosa.csv
compare_threads() {
  local threads
  for threads in 1 2 4; do
    linpred fit halfspace "$@" --threads $threads -o $threads.json >out.txt || :
    timeless $threads.json >$threads.txt
  done
  same 1.txt 2.txt "$*: 1 and 2 threads"
  same 1.txt 4.txt "$*: 1 and 4 threads"
}
compare_threads large.csv --method perceptron --max-passes 10
compare_threads large.csv --max-passes 10 --method pocket
compare_threads large.csv --method perceptron --max-passes 5 --order random
compare_threads large.csv --method perceptron --max-updates 200 --order worst
compare_threads large.csv --method perceptron --max-passes 5 --standardize
compare_threads two.csv
compare_threads two.csv --method lp
compare_threads setosa.csv
compare_threads setosa.csv --method lp
compare_threads setosa.csv --method margin --norm without-intercept
compare_threads two.csv --max-passes 50 --method pocket
compare_threads birthwt.csv -t low --method pocket --max-passes 20
for threads in 1 4; do
  linpred predict 1.json birthwt.csv --what score --threads $threads >scores.$threads
  linpred verify 1.json birthwt.csv --threads $threads >verified.$threads
  linpred evaluate 1.json birthwt.csv --threads $threads >evaluated.$threads
  linpred inspect large.csv --threads $threads >inspected.$threads
done
for what in scores verified evaluated inspected; do same $what.1 $what.4 $what; done
