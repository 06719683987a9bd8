/**
 * Groups of peers: their definitions, the stage of the evaluation that judges them bucket by
 * bucket, and the events of members that are unlike their peers. How members are compared is in
 * {@link io.peerlens.outliers.PeerGroup}; {@link io.peerlens.outlier.judge.OutlierStage} is the way
 * from stored values to events.
 */
@NullMarked
package io.peerlens.outlier;

import org.jspecify.annotations.NullMarked;
