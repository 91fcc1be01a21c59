"""Two PGDL documents that together have every element, for tests that spoil them."""

import pytest

from felt.games.pgdl import PgdlError, read_pgdl

WHOLE = """<PGDL version="1">
  <PokerGame name="everything" title="All of it" winningType="high" wildCards="yes" ante="1"
             bringIn="2" cap="500" unit="0.5">
    <History>Nobody plays it.</History>
    <Description verbatim="no">A document with every element.</Description>
    <Parameter name="bet" type="amount" default="10" minimum="1" maximum="99" description="the bet"/>
    <Players minimum="2" maximum="4" stack="1000" headsUpBlinds="button"/>
    <Deck standard="no" jokers="1" jokersAre="wild" name="mine">
      <Card id="As" name="ace of spades" value="A" suit="spades" wild="no"/>
      <Card id="Ks" name="king of spades" value="K" suit="spades" wild="no"/>
      <Card id="Qs" name="queen of spades" rank="10" suit="spades" wild="no"/>
      <Card id="Js" value="J" suit="spades"/> <Card id="Ts" value="T" suit="spades"/>
      <Card id="9s" value="9" suit="spades"/> <Card id="8s" value="8" suit="spades"/>
      <Card id="7s" value="7" suit="spades"/> <Card id="6s" value="6" suit="spades"/>
      <Card id="5s" value="5" suit="spades"/> <Card id="4s" value="4" suit="spades"/>
      <Card id="3s" value="3" suit="spades"/> <Card id="2s" value="2" suit="spades"/>
    </Deck>
    <Scoring standard="yes" handSize="5" kinds="high" holeCards="2"/>
    <Rake share="5%" cap="3" noFlopNoDrop="yes"/>
    <Rounds>
      <Round number="1" name="first" faceDownCardsDealt="1" faceUpCardsDealt="1" communityCardsNumber="0"
             blinds="no" forceBet="yes">
        <BettingStructure type="spread-limit"><Bet value="{bet}" most="{bet * 2}" maxNumRaises="4"/></BettingStructure>
        <BettingOrder order="clockwise" firstPlayerBetting="lowestUpCard"/>
      </Round>
      <Round number="2" name="second" faceDownCardsDealt="1" communityCardsNumber="3">
        <PassCards value="1" direction="clockwise"/>
        <DiscardCards value="1"/>
        <DrawCards min="0" max="1"/>
        <BettingStructure type="limit"><Bet value="20" maxNumRaises="unlimited"/></BettingStructure>
        <BettingOrder order="counter clockwise" firstPlayerBetting="bestUpHand"/>
      </Round>
    </Rounds>
  </PokerGame>
</PGDL>"""

BLINDED = """<PokerGame name="blinds">
  <Players minimum="2" maximum="4"/>
  <Deck standard="no" name="leduc-4x3"/>
  <Scoring standard="no" handSize="2">
    <Score name="pair" rank="1" default="no" sort="yes">
      <Conditions>
        <Condition>$c1.rank == $c2.rank</Condition>
      </Conditions>
      <Subrank>
        $c1.rank * 13
          + $c2.suit
      </Subrank>
    </Score>
    <Score name="high" rank="0" default="yes"><Subrank>$c2.rank</Subrank></Score>
  </Scoring>
  <Round name="only" faceDownCardsDealt="2" blinds="yes">
    <RollCards value="1"/>
    <BlindStructure>
      <Blind id="small" value="1" position="nextDealer"/>
      <Blind id="big" value="2" position="nextSmall"/>
    </BlindStructure>
    <BettingStructure type="limit"><Bet value="2"/></BettingStructure>
    <BettingOrder firstPlayerBetting="nextBlinds"/>
  </Round>
</PokerGame>"""


def error_of(text: str | bytes) -> PgdlError:
    """The error that a document ends in: one line, and not an endless one."""
    with pytest.raises(PgdlError) as caught:
        read_pgdl(text)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 400, message
    return caught.value
