"""Scores one bucket a line with a detector of PyOD: values in, scores out, separated by spaces.

Each bucket is fitted on its own, as one feature of as many samples as the group has members.

    python3 -m venv VENV && VENV/bin/pip install pyod
    java -Dpyod=VENV/bin/python ... io.peerlens.benchmarks.accuracy.Accuracy CORPUS
"""

import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")


def detector(name, members):
    if name == "MAD":
        from pyod.models.mad import MAD

        return MAD()
    if name == "ECOD":
        from pyod.models.ecod import ECOD

        return ECOD()
    if name == "KNN":
        from pyod.models.knn import KNN

        return KNN(n_neighbors=max(1, min(5, members - 1)))
    if name == "IForest":
        from pyod.models.iforest import IForest

        return IForest(n_estimators=20, random_state=1)
    raise SystemExit("unknown detector: " + name)


def main():
    name = sys.argv[1]
    for line in sys.stdin:
        x = np.array([float(v) for v in line.split()])
        # Constant buckets have no scores in PyOD (it divides by their spread).
        if np.ptp(x) == 0:
            scores = np.zeros(len(x))
        else:
            model = detector(name, len(x))
            model.fit(x.reshape(-1, 1))
            scores = np.nan_to_num(np.ravel(model.decision_scores_), nan=0, posinf=1e6)
        print(" ".join("%.6g" % s for s in scores), flush=True)


if __name__ == "__main__":
    main()
