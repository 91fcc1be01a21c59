"""The plots of reports: what they show (`panels`), and how they are drawn (`drawing`)."""
