package io.peerlens.flow.decode;

import io.peerlens.ingest.RejectReason;

/** Receiver of what could not be decoded. */
public interface Rejects {

  /**
   * A flow record that is not stored; its neighbours are.
   *
   * @param number of the line, JSON object or protobuf message within the value, from 1
   * @param detail what is wrong, where, and how to mend it
   * @param from where its bytes begin in the value, so that it can be sent again alone
   * @param to where they end
   */
  void reject(int number, RejectReason reason, String detail, int from, int to);
}
