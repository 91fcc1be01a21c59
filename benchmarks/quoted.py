"""Where figures come from that `make bench` cannot measure: programs in other languages, and publications."""

CPP = "2 cores of an AMD EPYC with AVX-512, g++ 12.2 -O3 -march=native, November 2026, median of three"
PBOTS = "pbots_calc, exact, on 2 cores of an AMD EPYC with AVX-512, November 2026, median of three"
POKERSTOVE = "the time PokerStove gives with its answer, machine unknown"
TEOFILO_24 = "Teófilo 2016, table 24: Intel i7-3940XM, one thread"
TEOFILO_27 = "Teófilo 2016, table 27: Intel i7-3940XM, one thread"
VINTHER_HOLST = "Vinther and Holst 2015, chapter 1: 50,000 simulations"
