# SPDX-License-Identifier: GPL-3.0-or-later
# pictures.gnuplot - the pictures of slumber-sim --pictures, each as PNG and as SVG.  gnuplot works in the folder of the data:
#
#   gnuplot -c pictures.gnuplot nodes TITLE UNIT END ROWS COLUMNS
#     What each node does over time, jobs in colours of their own (in turns).  names.dat: row, name (of the rows that have a
#     tic).  COLUMNS is 0: nodes are drawn exactly, a row each.  spells.dat: from, until, row, state, job; labels.dat: time, row,
#     name of a job.  Else cells.dat is a raster of ROWS and COLUMNS, two bytes a cell: state, last byte of the job.
#   gnuplot -c pictures.gnuplot series TITLE UNIT END NODES JOBS WATTS MEAN
#     means.dat: time, jobs waiting, jobs running, watts, and nodes by state.  JOBS: the most that wait or run at once.  WATTS:
#     the highest, empty where watts are not known; MEAN: of the watts.
#
# UNIT is the name of the unit of times, END the last of them.  The states are those of the two lists below, from 0.

array state[6] = ['idle', 'busy', 'booting', 'going down', 'off', 'out of service']
array colour[6] = [0xe4e9dc, 0x3f7fc9, 0xf39c1f, 0xa878c8, 0x4a4f58, 0xd0021b]
# Of running jobs: blue to green, away from what the other states have, and light enough for their names.
array shade[8] = [0x6f9fdc, 0x7cc47f, 0x8cc6f0, 0x4db3a6, 0xa9c4e4, 0x8a97dc, 0xc3d97e, 0x5fb4c4]
BUSY = 1
of(state, job) = state == BUSY ? shade[1 + int(job) % 8] : colour[1 + int(state)]
# The states in a stack, from its bottom up, as places in the lists.
array stack[6] = [2, 1, 3, 4, 5, 6]
upto(k) = (sum [i = 1:k] column(4 + stack[i]))

picture = ARG1
heading = ARG2
unit = ARG3
end = real(ARG4)
count = int(ARG5)
set datafile separator tab

red(rgb) = rgb >> 16 & 255
green(rgb) = rgb >> 8 & 255
blue(rgb) = rgb & 255
# There are no halves of jobs and nodes.
step_of(most) = sprintf('set ytics %s', most < 10 ? '1' : 'autofreq')

if (picture eq 'nodes') {
    columns = int(ARG6)
    dx = columns ? end / columns : 1
    raster = sprintf("binary array=(%d,%d) format='%%uchar%%uchar' origin=(%.9g,0) dx=%.9g dy=1", columns, count, dx / 2, dx)
    height = columns ? 860 : 180 + (count > 8 ? count : 8) * (count > 32 ? 14 : 24)
} else {
    raster = ''
    most_jobs = int(ARG6)
    knows_watts = strlen(ARG7) > 0
    peak = knows_watts ? real(ARG7) : 0
    per = peak >= 1e6 ? 1e6 : peak >= 1e3 ? 1e3 : 1
    height = knows_watts ? 900 : 640
}

do for [kind in 'png svg'] {
    if (kind eq 'png') {
        set terminal pngcairo size 1400,height font 'Sans,11' background 'white' noenhanced
    } else {
        set terminal svg size 1400,height font 'Sans,13' background 'white' noenhanced
    }
    set output picture.'.'.kind
    if (picture eq 'nodes') {
        set title heading
        set xrange [0:end]
        set tics out nomirror
        set yrange [count - 0.5:-0.5]
        set xlabel unit
        set key below horizontal maxrows 1 Left reverse samplen 1.5 width -2
        set style fill solid 1.0 noborder
        set border 3
        set lmargin 12
        if (columns) {
            plot 'cells.dat' @raster \
                    using (rgb = of($1, $2), red(rgb)):(green(rgb)):(blue(rgb)) \
                    with rgbimage notitle, \
                'names.dat' using (NaN):1:ytic(2) notitle, \
                for [i = 1:6] NaN with boxes linecolor rgb (i == 1 + BUSY ? shade[1] : colour[i]) \
                    title (i == 1 + BUSY ? 'a job, in colours by turns' : state[i])
        } else {
            plot 'spells.dat' using (($1 + $2) / 2):3:1:2:($3 - 0.44):($3 + 0.44):(of($4, $5)) \
                    with boxxyerror linecolor rgb variable notitle, \
                'labels.dat' using 1:2:3 with labels font ',9' textcolor rgb '#101820' notitle, \
                'names.dat' using (NaN):1:ytic(2) notitle, \
                for [i = 1:6] NaN with boxes linecolor rgb (i == 1 + BUSY ? shade[1] : colour[i]) \
                    title (i == 1 + BUSY ? 'a job, in colours by turns' : state[i])
        }
    } else {
        set multiplot layout (knows_watts ? 3 : 2),1
        set xrange [0:end]
        set tics out nomirror
        set border 3
        set lmargin 12
        set rmargin 22
        set key outside right top Left reverse samplen 1.5
        set style fill solid 1.0 noborder
        set grid ytics linecolor rgb '#d8d8d8'
        set yrange [0:*]
        set title heading
        set ylabel 'jobs'
        eval step_of(most_jobs)
        unset xlabel
        plot 'means.dat' using 1:2 with filledcurves x1 linecolor rgb '#f0c9a0' title 'waiting', \
            '' using 1:2 with lines linewidth 1.5 linecolor rgb '#c8641e' notitle, \
            '' using 1:3 with lines linewidth 1.5 linecolor rgb '#2f6fc4' title 'running'
        unset title
        set ylabel 'nodes'
        eval step_of(count)
        set yrange [0:count]
        if (!knows_watts) {
            set xlabel unit
        }
        plot for [k = 6:1:-1] 'means.dat' using 1:(upto(k)) with filledcurves x1 \
            linecolor rgb colour[stack[k]] title state[stack[k]]
        if (knows_watts) {
            mean = real(ARG8)
            set ylabel (per == 1e6 ? 'MW' : per == 1e3 ? 'kW' : 'W')
            set ytics autofreq
            set xlabel unit
            set yrange [0:*]
            plot 'means.dat' using 1:($4 / per) with filledcurves x1 linecolor rgb '#f6dd8a' title 'power', \
                '' using 1:($4 / per) with lines linewidth 1.5 linecolor rgb '#b58900' notitle, \
                mean / per with lines dashtype 2 linecolor rgb '#606060' title 'mean'
        }
        unset multiplot
    }
    unset output
}
