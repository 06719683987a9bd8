package io.peerlens.panel;

import io.peerlens.capacity.CapacityAnswers;
import io.peerlens.impact.ChangeImpacts;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.outlier.event.OutlierEventQueries;
import io.peerlens.outlier.result.PeerGroups;
import io.peerlens.talker.TalkerAnswers;

/** What knows of outliers, talkers, changes and capacity; operations of the contract ask it too. */
record Findings(
    OutlierEventQueries outliers,
    PeerGroups groups,
    TalkerAnswers talkers,
    ChangeQueries changes,
    ChangeImpacts impacts,
    CapacityAnswers capacity) {}
