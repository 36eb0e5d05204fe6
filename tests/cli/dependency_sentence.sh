# Sums of decimals depend exactly; those of their doubles depend to rounding only. The sentence is written as people
# write it in both cases, without a factor of 1.
printf '%s\n' protein,fat,carb,kcal,y \
  37.1,35.2,39.3,111.6,10 13.4,34.6,32.6,80.6,7 16.8,29.4,8.7,54.9,2 21.1,20.9,3.9,45.9,7 \
  6.5,16.4,24.3,47.2,38 23.1,21.1,10.7,54.9,13 16.3,32.1,34.9,83.3,22 16.9,21.9,4.8,43.6,41 \
  26.6,25.2,20.8,72.6,6 10.6,29.4,12.5,52.5,3 10.4,4.9,4.3,19.6,13 13.0,35.6,39.2,87.8,19 >sums.csv
run_line 'linpred fit regression sums.csv | grep -A 1 ^dependent'
doubles <sums.csv >doubles.csv
run_line 'linpred fit regression doubles.csv | grep -A 1 ^dependent'
run_line 'sed "1s/.*/a,b,c,minus,y/" sums.csv | awk -F, -v OFS=, "NR > 1 { \$4 = \$1 - 2 * \$2; } { print }" | linpred fit regression - | grep ^dependent'
