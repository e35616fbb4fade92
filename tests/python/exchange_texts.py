"""Small files of other systems, written by hand, that several tests read."""

RANKLIB = """\
## LambdaMART
## No. of trees = 2
## No. of leaves = 3

<ensemble>
	<tree id="1" weight="0.5">
		<split>
			<feature> 3 </feature>
			<threshold> 0.25 </threshold>
			<split pos="left">
				<output> -1.5 </output>
			</split>
			<split pos="right">
				<feature> 1 </feature>
				<threshold> -2.0 </threshold>
				<split pos="left">
					<output> 4.0 </output>
				</split>
				<split pos="right">
					<output> 8.0 </output>
				</split>
			</split>
		</split>
	</tree>
	<tree id="2" weight="0.5">
		<split>
			<output> 1.0 </output>
		</split>
	</tree>
</ensemble>
"""

FOREST = """\
## Random Forests
## No. of bags = 2
<ensemble>
<tree id="1" weight="0.5"><split><output>1</output></split></tree>
</ensemble>
<ensemble>
<tree id="1" weight="0.5"><split><output>4</output></split></tree>
</ensemble>
"""

QUICKRANK = """\
<ranker>
	<info>
		<type>LAMBDAMART</type>
	</info>
	<ensemble>
		<tree id="1" weight="0.25">
			<split>
				<feature>2</feature>
				<threshold>0.5</threshold>
				<split pos="right">
					<output>3</output>
				</split>
				<split pos="left">
					<output>-2</output>
				</split>
			</split>
		</tree>
	</ensemble>
</ranker>
"""

JFORESTS = """\
<Ensemble>
	<Tree leaves="3" weight="2.0">
		<SplitFeatures>1 0</SplitFeatures>
		<LeftChildren>1 -1</LeftChildren>
		<RightChildren>-3 -2</RightChildren>
		<Thresholds>10 20</Thresholds>
		<OriginalThresholds>0.5 -1.0</OriginalThresholds>
		<LeafOutputs>1.0 2.0 4.0</LeafOutputs>
	</Tree>
	<Tree leaves="1" weight="1.0">
		<SplitFeatures></SplitFeatures>
		<LeftChildren></LeftChildren>
		<RightChildren></RightChildren>
		<Thresholds></Thresholds>
		<OriginalThresholds></OriginalThresholds>
		<LeafOutputs>16.0</LeafOutputs>
	</Tree>
</Ensemble>
"""

DUMP = """[
 {"nodeid": 0, "depth": 0, "split": "f1", "split_condition": 0.5, "yes": 2, "no": 1, "missing": 1,
  "children": [{"nodeid": 1, "leaf": 1.0}, {"nodeid": 2, "leaf": 2.0}]},
 {"nodeid": 0, "leaf": 8.0}]
"""


def xgboost_tree(**changes):
    """Make node 0: f1 < 0.5 or missing -> 1, else 2."""
    return {
        "left_children": [1, -1, -1],
        "right_children": [2, -1, -1],
        "split_indices": [1, 0, 0],
        "split_conditions": [0.5, 1.0, 2.0],
        "default_left": [1, 0, 0],
        "split_type": [0, 0, 0],
        "tree_param": {"num_nodes": "3", "size_leaf_vector": "1"},
    } | changes


def xgboost_document(*trees, base_score="5E-1", booster=None, objective="rank:ndcg", **param):
    """Make what `save_model` writes."""
    model = {"gbtree_model_param": {"num_trees": str(len(trees))}, "trees": list(trees)}
    return {
        "learner": {
            "learner_model_param": {
                "base_score": base_score,
                "num_class": "0",
                "num_feature": "2",
                "num_target": "1",
                **param,
            },
            "gradient_booster": booster or {"name": "gbtree", "model": model},
            "objective": {"name": objective},
            "feature_names": [],
        },
        "version": [3, 2, 0],
    }


SOLR = {
    "class": "org.apache.solr.ltr.model.MultipleAdditiveTreesModel",
    "name": "m",
    "features": [{"name": "a"}, {"name": "b"}],
    "params": {
        "trees": [
            {
                "weight": "0.5",
                "root": {
                    "feature": "b",
                    "threshold": "0.5",
                    "left": {"value": "-100"},
                    "right": {
                        "feature": "a",
                        "threshold": 10.0,
                        "left": {"value": 50},
                        "right": {"value": "75"},
                    },
                },
            },
            {"weight": 2, "root": {"value": "-10"}},
        ]
    },
}

CATBOOST = {
    "features_info": {
        "float_features": [
            {"feature_index": 0, "flat_feature_index": 0, "nan_value_treatment": "AsTrue"},
            {"feature_index": 1, "flat_feature_index": 1, "nan_value_treatment": "AsFalse"},
        ]
    },
    "oblivious_trees": [
        {
            "splits": [
                {"border": 0.5, "float_feature_index": 0, "split_type": "FloatFeature"},
                {"border": 2.0, "float_feature_index": 1, "split_type": "FloatFeature"},
            ],
            "leaf_values": [1, 2, 4, 8],
        }
    ],
    "scale_and_bias": [0.5, [10]],
}
