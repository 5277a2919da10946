module packshot/cage

go 1.23.0

require golang.org/x/sys v0.31.0
